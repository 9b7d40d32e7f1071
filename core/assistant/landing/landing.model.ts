import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, Nullable, named, oneOf, Text, Timestamp } from '../../http/schema.ts'

/** Languages of a landing page. */
export const languages = ['ar', 'fr', 'en'] as const
/** Language of a landing page. */
export type Language = (typeof languages)[number]

/** Kinds of sections. There are no customer reviews, because a model would invent them. */
const sectionKinds = ['hero', 'benefits', 'text', 'steps', 'details', 'gallery', 'questions', 'offer'] as const

const Line = exact({ title: Text(200, 1), text: T.Optional(Text(800)) })
/** Section of a landing page. */
export const Section = exact({
  kind: oneOf(sectionKinds),
  title: T.Optional(Text(200)),
  text: T.Optional(Text(2000)),
  button: T.Optional(Text(60)),
  items: T.Optional(T.Array(Line, { maxItems: 12, description: 'benefits, steps or details; for questions, the answer is the text' })),
})
/** Type of {@link Section}. */
export type Section = Static<typeof Section>

/** Texts of a page that a model writes. Prices, images and addresses come from the shop. */
export const LandingTexts = exact({
  title: Text(200, 1),
  language: oneOf(languages),
  sections: T.Array(Section, { minItems: 1, maxItems: 16 }),
})
/** Type of {@link LandingTexts}. */
export type LandingTexts = Static<typeof LandingTexts>

/** Texts of a page together with its product. */
export const LandingData = named('LandingData', T.Object({ productId: Id, ...LandingTexts.properties }))
/** Type of {@link LandingData}. */
export type LandingData = Static<typeof LandingData>

/** Returns the schema of a model's plan for a page of `count` images: a prompt and an alt text for each. */
export const picturePlanSchema = (count: number) =>
  exact({
    title: Text(200, 1),
    language: oneOf(languages),
    pictures: T.Array(exact({ prompt: Text(1000, 1), alt: Text(300, 1) }), { minItems: count, maxItems: count }),
  })

/** Images that one page may have. */
const PICTURES_MAX = 6
const model = { type: 'string', minLength: 1, maxLength: 300 } as const
const Model = T.Optional(T.String({ ...model, description: 'an id of GET /v1/ai/models; by default the first that fits' }))
const commonFields = {
  storeId: T.Optional(Id),
  productId: Id,
  instructions: T.Optional(Text(4000)),
  language: T.Optional(oneOf(languages, { description: 'Arabic by default' })),
  model: Model,
}
/** Body that requests the data of a template. */
export const NewTemplate = named('LandingTemplateWish', exact(commonFields))
/** Body that requests a page of sections. */
export const NewPage = named(
  'LandingPageWish',
  exact({
    ...commonFields,
    pictures: T.Optional(T.Integer({ minimum: 0, maximum: PICTURES_MAX, description: 'number of generated images; none by default' })),
    pictureModel: Model,
  }),
)
/** Body that requests a page of images. */
export const NewPicturePage = named(
  'PictureLandingPageWish',
  exact({
    ...commonFields,
    pictures: T.Optional(T.Integer({ minimum: 1, maximum: PICTURES_MAX, description: '3 by default' })),
    pictureModel: Model,
  }),
)
/** Fields of a request for a landing page or template. */
export type LandingInput = Static<typeof NewPage>

/** Body that edits a template or a page by an instruction. */
export const LandingEdit = named(
  'LandingEditWish',
  exact({
    storeId: T.Optional(Id),
    id: {
      ...Id,
      description: 'id of a template of the store with sections, or of a generated page that was not changed by hand',
    },
    instruction: Text(4000, 1),
    model: Model,
    apply: T.Optional(T.Boolean({ default: false, description: 'true: write the change at once; false: only return it' })),
  }),
)
/** Type of {@link LandingEdit}. */
export type LandingEdit = Static<typeof LandingEdit>

/** Job that generates a landing page or template. */
export const LandingJob = named(
  'LandingJob',
  T.Object({
    id: Id,
    storeId: Id,
    kind: oneOf(['template', 'page', 'picture_page']),
    status: oneOf(['queued', 'running', 'completed', 'failed']),
    progress: T.Object({ done: T.Integer(), total: T.Integer({ description: 'steps: the texts, each picture, and the page' }) }),
    data: Nullable(LandingData, { description: 'texts of the page; null until they are written, and for a page of pictures' }),
    pictures: T.Array(T.String()),
    pageId: Nullable(Id, { description: 'id of the draft; not public before it is published' }),
    failure: Nullable(T.String({ description: 'reason of the failure, for a person' })),
    createdAt: Timestamp,
    finishedAt: Nullable(Timestamp),
  }),
)
/** Type of {@link LandingJob}. */
export type LandingJob = Static<typeof LandingJob>
