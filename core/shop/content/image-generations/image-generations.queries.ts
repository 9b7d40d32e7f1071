import { type Queryable, row } from '../../../data/sql.ts'
import type { GalleryImage } from './image-generations.model.ts'

/** Newest first: what stores that are there let all see. */
export const listGallery = (sql: Queryable, before: string | null, take: number) =>
  sql<GalleryImage[]>`
    select g.id, g.name, g.prompt, g.aspect_ratio, g.images, g.created_at from image_generations g
    join shown_stores s on s.id = g.store_id
    where g.published and g.status = 'done' and (${before}::text is null or g.id < ${before})
    order by g.id desc limit ${take}`

export interface GenerationRow {
  readonly id: string
  readonly storeId: string
  readonly prompt: string
  readonly negativePrompt: string
  readonly aspectRatio: string
  readonly status: 'draft' | 'queued' | 'running' | 'done' | 'failed'
  readonly images: readonly string[]
  readonly failure: string | null
}

const columns = ['id', 'storeId', 'prompt', 'negativePrompt', 'aspectRatio', 'status', 'images', 'failure'] as const

export const findGeneration = async (sql: Queryable, id: string) =>
  (await sql<GenerationRow[]>`select ${sql(columns)} from image_generations where id = ${id}`)[0]

export type GenerationChange = Pick<GenerationRow, 'status'> & Partial<Pick<GenerationRow, 'images' | 'failure'>>

/** Only from these states; undefined where it is in another, or gone. */
export const moveGeneration = async (sql: Queryable, id: string, from: readonly GenerationRow['status'][], change: GenerationChange) =>
  (
    await sql<GenerationRow[]>`update image_generations set ${row(sql, { failure: null, ...change, updatedAt: new Date() }, ['images'])}
      where id = ${id} and status = any(${from as string[]}) returning ${sql(columns)}`
  )[0]
