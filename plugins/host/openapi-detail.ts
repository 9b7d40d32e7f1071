import {
  accessRequirementOf,
  accessRequirementsAt,
  type Endpoint,
  type EndpointOperation,
  isCallbackEndpoint,
  isPublicEndpoint,
} from './endpoints.ts'

/** Tag of endpoints that several kinds share. */
export const SHARED_TAG = 'Integrations'

/** Describes an endpoint for the OpenAPI document. If several kinds share it, the description covers each of them. */
export function openApiDetailOf(address: Endpoint): Record<string, unknown> {
  const { offers } = address
  const distinct = <V>(read: (offer: EndpointOperation) => V) => [...new Set(offers.map(read))]
  const roles = distinct(({ operation }) => operation.role)
  const bytes = offers.flatMap(({ operation }) => operation.bytes ?? [])
  const [tag, ...otherTags] = distinct(({ kind }) => kind.tag)
  return {
    tags: [otherTags.length > 0 ? SHARED_TAG : tag],
    summary: distinct(({ operation }) => operation.summary).join(' · '),
    operationId: distinct(({ id }) => id).join('.or.'),
    'x-role': roles.length === 1 ? roles[0] : Object.fromEntries(offers.map(({ kind, operation }) => [kind.name, operation.role])),
    // The rights depend on the kind, which is known only when the request names the adapter.
    ...(accessRequirementsAt(address).length > 1 && {
      'x-by-kind': Object.fromEntries(offers.map((offer) => [offer.kind.name, accessRequirementOf(offer)])),
    }),
    ...(isPublicEndpoint(address) && { 'x-role': 'anybody', 'x-scope': offers[0] && accessRequirementOf(offers[0]).scope }),
    ...(isCallbackEndpoint(address) && { 'x-callback': true }),
    ...(bytes.length > 0 && { responses: byteResponses(bytes) }),
  }
}

const byteResponses = (types: readonly string[]) => ({
  200: {
    description: 'The bytes.',
    content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
  },
  302: { description: 'Redirect to the file at the platform.' },
})
