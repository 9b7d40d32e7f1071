import { type Static, Type as T } from '@sinclair/typebox'
import { freeForm } from '../../../http/body/free-form.ts'
import { exact, Id, named, Timestamp } from '../../../http/schema.ts'

/** Hours for which a preview is shown: the default and the maximum. */
export const PREVIEW_HOURS = { default: 24, most: 30 * 24 } as const

const data = freeForm(
  { names: 100, nameLength: 100, bytes: 64 * 1024 },
  { description: "settings to preview: colours, texts, the template's own settings" },
)

/** Body that starts a preview. */
export const NewTemplatePreview = named(
  'NewTemplatePreview',
  exact({
    templateId: { ...Id, description: "one of the store's templates, or a published one of the platform's" },
    data: T.Optional(data),
    hours: T.Optional(
      T.Integer({ minimum: 1, maximum: PREVIEW_HOURS.most, default: PREVIEW_HOURS.default, description: 'hours for which it is shown' }),
    ),
  }),
)
/** Type of {@link NewTemplatePreview}. */
export type NewTemplatePreview = Static<typeof NewTemplatePreview>

/** Preview of a template in a store. */
export const TemplatePreview = named(
  'TemplatePreview',
  T.Object({
    storeId: Id,
    template: T.Object({
      id: Id,
      name: T.String(),
      category: T.String(),
      data: freeForm({ names: 500, nameLength: 100, bytes: 64 * 1024 }),
    }),
    data,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    expiresAt: Timestamp,
  }),
)
/** Type of {@link TemplatePreview}. */
export type TemplatePreview = Static<typeof TemplatePreview>

/** Preview with its token, which is answered only once. */
export const StartedPreview = named(
  'StartedTemplatePreview',
  T.Object({
    ...TemplatePreview.properties,
    token: T.String({ description: 'answered only once: anybody can see the preview with `?token=`; an earlier token no longer works' }),
  }),
)
/** Type of {@link StartedPreview}. */
export type StartedPreview = Static<typeof StartedPreview>

/** Query of a preview. */
export const PreviewQuery = T.Object({
  token: T.Optional(T.String({ minLength: 1, maxLength: 100, description: 'required for callers who are neither members nor API keys' })),
})
