import { type Queryable, rowValues } from '../../../data/sql.ts'
import type { GalleryImage } from './image-generations.model.ts'

/** Lists finished images that visible stores have published, newest first. */
export const listGalleryImages = (sql: Queryable, before: string | null, take: number) =>
  sql<GalleryImage[]>`
    select g.id, g.name, g.prompt, g.aspect_ratio, g.images, g.created_at from image_generations g
    join shown_stores s on s.project_id = g.project_id
    where g.published and g.status = 'done' and (${before}::text is null or g.id < ${before})
    order by g.id desc limit ${take}`

/** Row of an image generation. */
export interface ImageGenerationRow {
  readonly id: string
  readonly projectId: string
  readonly prompt: string
  readonly negativePrompt: string
  readonly aspectRatio: string
  readonly status: 'draft' | 'queued' | 'running' | 'done' | 'failed'
  readonly images: readonly string[]
  readonly failure: string | null
}

/** Key of an image generation. */
export type ImageGenerationKey = Pick<ImageGenerationRow, 'projectId' | 'id'>

const columns = ['id', 'projectId', 'prompt', 'negativePrompt', 'aspectRatio', 'status', 'images', 'failure'] as const

/** Finds an image generation by its id alone, since a job names no more. Returns undefined where there is none. */
export const findImageGeneration = async (sql: Queryable, id: string) =>
  (await sql<ImageGenerationRow[]>`select ${sql(columns)} from image_generations where id = ${id}`)[0]

/** New status of an image generation, with its images or its failure. */
export type ImageGenerationChange = Pick<ImageGenerationRow, 'status'> & Partial<Pick<ImageGenerationRow, 'images' | 'failure'>>

/** Moves an image generation from one of these statuses. Returns undefined where it has another status or does not exist. */
export const moveImageGeneration = async (
  sql: Queryable,
  { projectId, id }: ImageGenerationKey,
  from: readonly ImageGenerationRow['status'][],
  change: ImageGenerationChange,
) =>
  (
    await sql<
      ImageGenerationRow[]
    >`update image_generations set ${rowValues(sql, { failure: null, ...change, updatedAt: new Date() }, ['images'])}
      where project_id = ${projectId} and id = ${id} and status = any(${from as string[]}) returning ${sql(columns)}`
  )[0]
