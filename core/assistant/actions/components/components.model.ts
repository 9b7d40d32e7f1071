import { type Static, Type as T } from '@sinclair/typebox'
import { freeForm } from '../../../http/body/free-form.ts'
import { exact, Id, named, oneField, oneOf, stated, Text } from '../../../http/schema.ts'

/** How deep components stand in one another, and how many there are of all. */
export const DEPTH_MAX = 6
export const COMPONENTS_MAX = 100

const Name = Text(200, 1)

export const ComponentsAsked = named(
  'ComponentsAsked',
  stated(
    exact(
      {
        storeId: T.Optional(Id),
        templateId: T.Optional({ ...Id, description: 'a template whose components are wanted' }),
        names: T.Optional(T.Array(Name, { maxItems: 50, uniqueItems: true, description: 'names or ids of components that are wanted' })),
      },
      { minProperties: 1 },
    ),
    oneField('templateId', 'names'),
  ),
)
export type ComponentsAsked = Static<typeof ComponentsAsked>

const ComponentFound = named(
  'ComponentFound',
  T.Object({
    id: Id,
    name: T.String(),
    of: oneOf(['store', 'platform']),
    data: freeForm({ names: 500, nameLength: 100, bytes: 64 * 1024 }, { description: 'what it is made of' }),
    uses: T.Array(T.String(), { description: 'the components that it names in its turn' }),
  }),
)
export type ComponentFound = Static<typeof ComponentFound>

export const ComponentsFound = named(
  'ComponentsFound',
  T.Object({
    components: T.Array(ComponentFound, { description: 'each once, what is named first before what it names' }),
    missing: T.Array(T.String(), { description: 'names that no template of the store, and none of the platform that is published, has' }),
    circular: T.Array(T.String(), { description: 'names that lead back to what named them; they are not to be drawn again there' }),
  }),
)
export type ComponentsFound = Static<typeof ComponentsFound>
