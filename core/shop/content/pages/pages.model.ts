import { Type as T } from '@sinclair/typebox'
import { Id, Metadata, named, oneOf, Text, Timestamp } from '../../../http/schema.ts'
import { Slug } from '../../catalog/categories/categories.model.ts'

const CONTENT_MAX = 256 * 1024
/** Pages of one store. */
export const PAGES_MAX = 1_000

/** Fields of a page that a client may write. */
export const PageFields = named(
  'PageFields',
  T.Object({
    title: Text(200, 1),
    slug: Slug,
    format: T.Optional(oneOf(['html', 'markdown'], { description: 'default: html' })),
    content: T.Optional(Text(CONTENT_MAX, 0)),
    metadata: T.Optional(Metadata),
    published: T.Optional(T.Boolean({ description: 'whether the public may read it; default: false' })),
  }),
)

/** Published page as the public reads it. */
export const PublicPage = named(
  'PublicPage',
  T.Object({
    id: Id,
    storeId: Id,
    ...T.Required(T.Omit(PageFields, ['published', 'metadata'])).properties,
    updatedAt: Timestamp,
  }),
)

/** Query of a public page: the store by its id or slug. */
export const PageViewQuery = T.Object({
  storeId: T.Optional(Id),
  store: T.Optional(T.String({ minLength: 1, maxLength: 63, description: "the store's slug, in place of its id" })),
})
