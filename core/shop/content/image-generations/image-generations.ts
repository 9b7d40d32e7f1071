import type { Context } from '../../../context.ts'
import { resource } from '../../../http/resource/resource.ts'
import { contentAccess, guardOf } from '../guard.ts'
import { ImageGenerationFields, Outcome, promptDefaults } from './image-generations.model.ts'

const GENERATIONS_MAX = 10_000

/** Routes of the image generations of a store, with their prompts. */
export const imageGenerations = (context: Context) =>
  resource(context, guardOf(context), {
    name: 'image generation',
    path: '/v1/image_generations',
    table: 'image_generations',
    prefix: 'img',
    verbs: ['list', 'create', 'read', 'replace', 'patch', 'remove'],
    fields: ImageGenerationFields,
    kept: Outcome,
    defaults: { name: '', ...promptDefaults, published: false },
    filters: ['productId', 'published'],
    sorts: ['name', 'updatedAt'],
    search: 'prompt',
    access: contentAccess,
    most: GENERATIONS_MAX,
  })
