import { Type as T } from '@sinclair/typebox'
import { dialect } from '../../http/openapi/openapi.ts'
import { Id, named, Timestamp } from '../../http/schema.ts'
import { type EventDeclaration, emittedTo, type Family } from './events.ts'

/** `parcel.status_changed` is called `ParcelStatusChangedEvent`. */
const titleOf = (name: string) => `${name.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`

/** The body that is signed and sent. */
const deliveredAs = (name: string, { data }: EventDeclaration) =>
  named(titleOf(name), T.Object({ id: Id, type: T.Literal(name), createdAt: Timestamp, projectId: Id, data }))

/** What is sent to who subscribes, in the description of the operation that subscribes him. */
export const callbacksOf = (family: Family) =>
  Object.fromEntries(emittedTo(family).map(([name, declaration]) => [name, { '{$request.body#/url}': asked(family, name, declaration) }]))

/** Events of both families stand in the description twice. */
const handlerOf: Readonly<Record<Family, string>> = { project: 'on', store: 'onStore' }

const asked = (family: Family, name: string, declaration: EventDeclaration) => ({
  post: {
    summary: declaration.summary,
    operationId: `${handlerOf[family]}${titleOf(name)}`,
    security: [],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: dialect(deliveredAs(name, declaration)) as object } },
    },
    responses: {
      '2XX': { description: 'Taken.' },
      '4XX': { description: 'Sent again later; after 410 nothing more is sent.' },
    },
  },
})
