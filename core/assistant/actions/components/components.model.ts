import { type Static, Type as T } from '@sinclair/typebox'
import { freeForm } from '../../../http/body/free-form.ts'
import { exact, Id, named, oneField, oneOf, stated, Text } from '../../../http/schema.ts'

/** Levels to which components may nest. */
export const DEPTH_MAX = 6
/** Components that one request may resolve. */
export const COMPONENTS_MAX = 100

const Name = Text(200, 1)

/** Body that asks for components: of a template, or by names. */
export const ComponentsRequest = named(
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
/** Type of {@link ComponentsRequest}. */
export type ComponentsRequest = Static<typeof ComponentsRequest>

const ResolvedComponent = named(
  'ComponentFound',
  T.Object({
    id: Id,
    name: T.String(),
    of: oneOf(['store', 'platform']),
    data: freeForm({ names: 500, nameLength: 100, bytes: 64 * 1024 }, { description: 'data of the template' }),
    uses: T.Array(T.String(), { description: 'names of the components that it contains' }),
  }),
)
/** Template that is used as a component. */
export type ResolvedComponent = Static<typeof ResolvedComponent>

/** Resolved components, with the names that are missing or circular. */
export const ResolvedComponents = named(
  'ComponentsFound',
  T.Object({
    components: T.Array(ResolvedComponent, { description: 'each once, a component before those that it contains' }),
    missing: T.Array(T.String(), { description: 'names without a template of the store or a published one of the platform' }),
    circular: T.Array(T.String(), {
      description: 'names that lead back to a component that contains them; do not render them again there',
    }),
  }),
)
/** Type of {@link ResolvedComponents}. */
export type ResolvedComponents = Static<typeof ResolvedComponents>
