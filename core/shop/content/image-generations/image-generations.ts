import type { Context } from '../../../context.ts'
import { resourceRoutes } from '../../../http/resource/resource.ts'
import { contentAccess, storeGuardOf } from '../content-access.ts'
import { ImageGenerationFields, imageOutcomeFields, imagePromptDefaults } from './image-generations.model.ts'

const GENERATIONS_MAX = 10_000

/** Routes of the image generations of a store, with their prompts. */
export const imageGenerations = (context: Context) =>
  resourceRoutes(context, storeGuardOf(context), {
    name: 'image generation',
    path: '/v1/image_generations',
    table: 'image_generations',
    prefix: 'img',
    verbs: ['list', 'create', 'read', 'replace', 'patch', 'remove'],
    fields: ImageGenerationFields,
    readOnlyFields: imageOutcomeFields,
    defaults: { name: '', ...imagePromptDefaults, published: false },
    filters: ['productId', 'published'],
    sorts: ['name', 'updatedAt'],
    search: 'prompt',
    access: contentAccess,
    maxRows: GENERATIONS_MAX,
  })
