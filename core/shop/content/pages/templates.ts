import { Type as T, type TProperties } from '@sinclair/typebox'
import type { AnyElysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { freeForm } from '../../../http/body/free-form.ts'
import { type Resource, resourceRoutes } from '../../../http/resource/resource.ts'
import { Nullable, Text } from '../../../http/schema.ts'
import { contentAccess, storeGuardOf } from '../content-access.ts'
import { imagePromptDefaults, imagePromptFields } from '../image-generations/image-generations.model.ts'

const TEMPLATES_MAX = 1_000

const templateFields = {
  name: Text(200, 1),
  description: T.Optional(Text(2000)),
  category: T.Optional(Text(80)),
  previewUrl: T.Optional(Nullable(T.String({ format: 'uri', maxLength: 2000 }))),
  data: T.Optional(freeForm({ names: 500, nameLength: 100, bytes: 64 * 1024 }, { description: 'content of the template' })),
  published: T.Optional(T.Boolean({ description: 'whether stores see it, for a template of the platform; default: false' })),
}
const defaults = { description: '', category: '', data: {}, published: false }

type TemplateKind = Pick<Resource, 'name' | 'path' | 'table' | 'prefix'>

/**
 * Creates the routes of one kind of template. A template without a store belongs to the platform, and all stores see it once it is
 * published.
 */
const templatesOf =
  (own: TemplateKind, fields: TProperties = {}, values: object = {}) =>
  (context: Context): AnyElysia =>
    resourceRoutes(
      context,
      { of: 'store', guard: storeGuardOf(context), orPlatform: true },
      {
        ...own,
        verbs: ['list', 'create', 'read', 'replace', 'patch', 'remove'],
        fields: T.Object({ ...templateFields, ...fields }),
        defaults: { ...defaults, ...values },
        filters: ['category', 'published'],
        sorts: ['name', 'updatedAt'],
        search: 'name',
        longFields: ['data'],
        access: contentAccess,
        publicView: { to: 'signed in', where: { published: true } },
        maxRows: TEMPLATES_MAX,
      },
    )

/** Routes of store templates. */
export const templates = templatesOf({ name: 'template', path: '/v1/templates', table: 'templates', prefix: 'tpl' })
/** Routes of templates for product landing pages. */
export const landingPageTemplates = templatesOf({
  name: 'product landing page template',
  path: '/v1/product_landing_page_templates',
  table: 'product_landing_page_templates',
  prefix: 'plt',
})
/** Routes of templates for image prompts. */
export const imagePromptTemplates = templatesOf(
  { name: 'image prompt template', path: '/v1/image_prompt_templates', table: 'image_prompt_templates', prefix: 'ipt' },
  imagePromptFields,
  imagePromptDefaults,
)
