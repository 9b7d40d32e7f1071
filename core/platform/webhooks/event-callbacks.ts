import { Type as T } from '@sinclair/typebox'
import { toOpenApi30 } from '../../http/openapi/to-openapi30.ts'
import { Id, named, Timestamp } from '../../http/schema.ts'
import { type EndpointFamily, type EventDeclaration, listEmittedEvents } from './events.ts'

/** Builds the schema title of an event: `parcel.status_changed` becomes `ParcelStatusChangedEvent`. */
const titleOf = (name: string) => `${name.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`

/** Builds the schema of the signed body. */
const bodySchema = (name: string, { data }: EventDeclaration) =>
  named(titleOf(name), T.Object({ id: Id, type: T.Literal(name), createdAt: Timestamp, projectId: Id, data }))

/** Builds the OpenAPI callbacks of the subscribing operation: one per event. */
export const callbacksOf = (family: EndpointFamily) =>
  Object.fromEntries(
    listEmittedEvents(family).map(([name, declaration]) => [name, { '{$request.body#/url}': callbackOf(family, name, declaration) }]),
  )

/** Prefixes of operation ids. Events of both families appear twice in the document. */
const handlerOf: Readonly<Record<EndpointFamily, string>> = { project: 'on', store: 'onStore' }

const callbackOf = (family: EndpointFamily, name: string, declaration: EventDeclaration) => ({
  post: {
    summary: declaration.summary,
    operationId: `${handlerOf[family]}${titleOf(name)}`,
    security: [],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: toOpenApi30(bodySchema(name, declaration)) as object } },
    },
    responses: {
      '2XX': { description: 'Received.' },
      '4XX': { description: 'Sent again later. 410 disables the endpoint.' },
    },
  },
})
