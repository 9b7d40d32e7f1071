import type { Product, Scope } from '../../core/http/auth/scopes.ts'
import type { Adapter } from '../adapter.ts'
import type { Kind } from '../kind.ts'
import type { Method, Operation, Role } from '../operation.ts'

/** Where a store's adapters are asked. The position is `:key` everywhere, since a router knows one name per position. */
export const BASE = '/v1/stores/:storeId/integrations/:key'

/** One operation as it is asked at one address. */
export interface Offer {
  readonly kind: Kind
  readonly name: string
  readonly operation: Operation
  /** In the description of the interface. */
  readonly id: string
  /** The adapter whose own name the path bears; elsewhere `:key` names it. */
  readonly slug?: string
}

/** A method and a path, and what is asked there: one operation of each kind that has it. */
export interface Address {
  readonly method: Method
  readonly path: string
  readonly offers: readonly Offer[]
}

/** Every address at which something is asked of adapters: those of all operations, and those that bear the name of an adapter's brand. */
export function addressesOf(kinds: readonly Kind[], adapters: readonly Adapter[]): Address[] {
  const found = new Map<string, Address>()
  const add = (method: Method, path: string, offer: Offer) => {
    const name = `${method} ${path}`
    const { offers } = found.get(name) ?? { offers: [] }
    // Two slugs may make one brand (`a-b` and `a--b`); the first has it.
    if (!offers.some(({ kind }) => kind.name === offer.kind.name)) found.set(name, { method, path, offers: [...offers, offer] })
  }
  for (const kind of kinds)
    for (const [name, operation] of Object.entries(kind.operations))
      for (const method of operation.methods) {
        const offer = { kind, name, operation }
        for (const path of operation.paths)
          add(method, path.startsWith('/') ? path : `${BASE}/${path}`, { ...offer, id: idOf(offer, path, method) })
        for (const { slug } of adapters.filter((adapter) => isBranded(kind, name, adapter)))
          if (operation.brand !== undefined)
            add(method, brandPath(operation.brand, slug.replace(new RegExp(`-${kind.name}$`), '')), {
              ...offer,
              id: `${kind.name}.${name}.${slug}${wayOf(operation, method)}`,
              slug,
            })
      }
  return [...found.values()]
}

const isBranded = (kind: Kind, operation: string, adapter: Adapter) =>
  adapter.kind === kind.name && adapter.branded?.includes(operation) === true

/** A second spelling and a second method have ids of their own. */
function idOf({ kind, name, operation }: Omit<Offer, 'id'>, path: string, method: Method): string {
  const spelling = operation.paths.indexOf(path) > 0 ? `.${path.split('/')[0]}` : ''
  return `${kind.name}.${name}${spelling}${wayOf(operation, method)}`
}

const wayOf = ({ methods }: Operation, method: Method) => (methods.indexOf(method) > 0 ? `.${method.toLowerCase()}` : '')

/** `/v1/actions/get{Brand}Products` of `google-sheets`: `/v1/actions/getGoogleSheetsProducts`. */
export function brandPath(pattern: string, slug: string): string {
  const brand = slug.replace(/-+(.?)/g, (_, letter: string) => letter.toUpperCase())
  return pattern.replace('{brand}', brand).replace('{Brand}', brand.charAt(0).toUpperCase() + brand.slice(1))
}

/** Whether it is asked of a store's connection, and not at a path of its own. */
export const isOfStore = ({ paths }: Pick<Operation, 'paths'>): boolean => paths.some((path) => !path.startsWith('/'))

/** Whether it is asked by the other side. What some kinds prove and others do not is no address that they share. */
export const isCallback = ({ offers }: Address): boolean => offers.every(({ operation }) => operation.callback)

/** Whether customers of the shop ask it too. */
export const isPublic = ({ offers }: Address): boolean => offers.every(({ operation }) => operation.storefront)

/** Who may ask: the least role in the store, what an API key must be able to do, and what the store's project must have enabled. */
export interface Needed {
  readonly role: Role
  readonly scope: Scope
  readonly product?: Product
}

export const neededFor = ({ kind, operation: { scope, role } }: Offer): Needed => ({
  role,
  scope: scope ?? kind.scopes[role === 'viewer' ? 'read' : 'write'],
  ...(kind.product && { product: kind.product }),
})

/** Each different thing that is wanted at an address, once. */
export const neededAt = ({ offers }: Address): Needed[] => [
  ...new Map(offers.map(neededFor).map((needed) => [`${needed.role} ${needed.scope} ${needed.product}`, needed])).values(),
]
