import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, Nullable, named, oneOf, Text, Timestamp } from '../../http/schema.ts'

export const languages = ['ar', 'fr', 'en'] as const
export type Language = (typeof languages)[number]

/** What a page is put together from. Opinions of customers are none: nobody invents them. */
export const sectionKinds = ['hero', 'benefits', 'text', 'steps', 'details', 'gallery', 'questions', 'offer'] as const

const Line = exact({ title: Text(200, 1), text: T.Optional(Text(800)) })
export const Section = exact({
  kind: oneOf(sectionKinds),
  title: T.Optional(Text(200)),
  text: T.Optional(Text(2000)),
  button: T.Optional(Text(60)),
  items: T.Optional(
    T.Array(Line, { maxItems: 12, description: 'of benefits, steps and details; of questions with their answers as text' }),
  ),
})
export type Section = Static<typeof Section>

/** What a model says of a page. Prices, pictures and addresses are not its to say. */
export const LandingWords = exact({
  title: Text(200, 1),
  language: oneOf(languages),
  sections: T.Array(Section, { minItems: 1, maxItems: 16 }),
})
export type LandingWords = Static<typeof LandingWords>

export const LandingData = named('LandingData', T.Object({ productId: Id, ...LandingWords.properties }))
export type LandingData = Static<typeof LandingData>

/** What a model says of a page that is pictures. */
export const PictureWords = (count: number) =>
  exact({
    title: Text(200, 1),
    language: oneOf(languages),
    pictures: T.Array(exact({ prompt: Text(1000, 1), alt: Text(300, 1) }), { minItems: count, maxItems: count }),
  })

export const PICTURES_MAX = 6
const model = { type: 'string', minLength: 1, maxLength: 300 } as const
const Model = T.Optional(T.String({ ...model, description: 'as GET /v1/ai/models names it; left out, the first that can' }))
const wish = {
  storeId: T.Optional(Id),
  productId: Id,
  instructions: T.Optional(Text(4000)),
  language: T.Optional(oneOf(languages, { description: 'Arabic unless said' })),
  model: Model,
}
export const TemplateWish = named('LandingTemplateWish', exact(wish))
export const PageWish = named(
  'LandingPageWish',
  exact({
    ...wish,
    pictures: T.Optional(T.Integer({ minimum: 0, maximum: PICTURES_MAX, description: 'that are drawn for it; none unless said' })),
    pictureModel: Model,
  }),
)
export const PicturePageWish = named(
  'PictureLandingPageWish',
  exact({
    ...wish,
    pictures: T.Optional(T.Integer({ minimum: 1, maximum: PICTURES_MAX, description: '3 unless said' })),
    pictureModel: Model,
  }),
)
export type Wish = Static<typeof PageWish>

export const EditWish = named(
  'LandingEditWish',
  exact({
    storeId: T.Optional(Id),
    id: {
      ...Id,
      description: 'of a template of the store that was made of sections, or of a page that was made here and that nobody changed by hand',
    },
    instruction: Text(4000, 1),
    model: Model,
    apply: T.Optional(
      T.Boolean({ default: false, description: 'whether the change is made at once; else it is shown and nothing is written' }),
    ),
  }),
)
export type EditWish = Static<typeof EditWish>

export const LandingJob = named(
  'LandingJob',
  T.Object({
    id: Id,
    storeId: Id,
    kind: oneOf(['template', 'page', 'picture_page']),
    status: oneOf(['queued', 'running', 'completed', 'failed']),
    progress: T.Object({ done: T.Integer(), total: T.Integer({ description: 'the words, each picture, and the page' }) }),
    data: Nullable(LandingData, { description: 'what it is made of; null until it is written, and for a page of pictures' }),
    pictures: T.Array(T.String()),
    pageId: Nullable(Id, { description: 'the draft that was made: nobody sees it before it is published' }),
    failure: Nullable(T.String({ description: 'why there is none, for a person' })),
    createdAt: Timestamp,
    finishedAt: Nullable(Timestamp),
  }),
)
export type LandingJob = Static<typeof LandingJob>
