import { type Static, Type as T, type TSchema } from '@sinclair/typebox'
import { Id, Nullable, named, Text, Timestamp } from '../../../http/schema.ts'

/** Levels of a category tree. */
export const CATEGORY_DEPTH_MAX = 8
/** Categories of one store. */
export const CATEGORIES_MAX = 1_000

/** Name of a category or page in a URL: Latin letters in lower case, digits and hyphens. */
export const Slug = T.String({
  pattern: '^[a-z0-9](?:[a-z0-9-]{0,118}[a-z0-9])?$',
  maxLength: 120,
  description: 'lower-case letters, digits and hyphens; unique in the store',
})

/** Fields of a category that a client may write. */
export const CategoryFields = named(
  'CategoryFields',
  T.Object({
    name: Text(120, 1),
    slug: Slug,
    parentId: T.Optional(Nullable(Id, { description: `the parent category; at most ${CATEGORY_DEPTH_MAX} levels` })),
    position: T.Optional(
      T.Integer({ minimum: 0, maximum: 1_000_000, description: 'order among the categories of one parent, lowest first' }),
    ),
    image: T.Optional(Nullable(T.String({ format: 'uri', maxLength: 2000 }))),
  }),
)

const Category = named(
  'Category',
  T.Object({
    id: Id,
    storeId: Id,
    ...T.Required(CategoryFields).properties,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
/** Type of {@link Category}. */
export type Category = Static<typeof Category>

/** Category with its child categories. */
export interface CategoryNode extends Category {
  readonly children: readonly CategoryNode[]
}

const withChildren = (children: TSchema) => T.Object({ ...Category.properties, children })
/** Schema of the whole tree, written out level by level, because client generators do not read recursive schemas. */
export const CategoryTree = Array.from({ length: CATEGORY_DEPTH_MAX }).reduce<TSchema>(
  (below) => T.Array(withChildren(below)),
  T.Array(T.Object({}), { maxItems: 0 }),
)
