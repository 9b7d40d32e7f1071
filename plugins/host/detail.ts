import { type Address, isCallback, isPublic, neededAt, neededFor, type Offer } from './addresses.ts'

/** Where an address is shared by kinds, it stands here. */
export const SHARED_TAG = 'Integrations'

/** How an address stands in the description of the interface; one that kinds share says what it is for each of them. */
export function detailOf(address: Address): Record<string, unknown> {
  const { offers } = address
  const said = <V>(tell: (offer: Offer) => V) => [...new Set(offers.map(tell))]
  const roles = said(({ operation }) => operation.role)
  const bytes = offers.flatMap(({ operation }) => operation.bytes ?? [])
  const [tag, ...otherTags] = said(({ kind }) => kind.tag)
  return {
    tags: [otherTags.length > 0 ? SHARED_TAG : tag],
    summary: said(({ operation }) => operation.summary).join(' · '),
    operationId: said(({ id }) => id).join('.or.'),
    'x-role': roles.length === 1 ? roles[0] : Object.fromEntries(offers.map(({ kind, operation }) => [kind.name, operation.role])),
    // Who may ask is judged when it is known which kind is meant.
    ...(neededAt(address).length > 1 && { 'x-by-kind': Object.fromEntries(offers.map((offer) => [offer.kind.name, neededFor(offer)])) }),
    ...(isPublic(address) && { 'x-role': 'anybody', 'x-scope': offers[0] && neededFor(offers[0]).scope }),
    ...(isCallback(address) && { 'x-callback': true }),
    ...(bytes.length > 0 && { responses: byteResponses(bytes) }),
  }
}

const byteResponses = (types: readonly string[]) => ({
  200: {
    description: 'The bytes.',
    content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
  },
  302: { description: 'Served by the other side.' },
})
