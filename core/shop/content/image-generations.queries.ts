import type { Queryable } from '../../data/sql.ts'
import type { GalleryImage } from './image-generations.model.ts'

/** Newest first: what stores that are there let all see. */
export const listGallery = (sql: Queryable, before: string | null, take: number) =>
  sql<GalleryImage[]>`
    select g.id, g.name, g.prompt, g.aspect_ratio, g.images, g.created_at from image_generations g
    join shown_stores s on s.id = g.store_id
    where g.published and g.status = 'done' and (${before}::text is null or g.id < ${before})
    order by g.id desc limit ${take}`
