import type { Permission, Product, Scope } from '../../core/http/auth/scopes.ts'
import type { Adapter } from '../adapter.ts'
import type { Kind } from '../kind.ts'
import type { Method, Operation, Role } from '../operation.ts'

/** Base path of the operations on a store's connection. Its segment is `:key` everywhere, since a router allows one name per position. */
export const STORE_BASE_PATH = '/v1/stores/:storeId/integrations/:key'

/** One operation of one kind at an endpoint. */
export interface EndpointOperation {
  readonly kind: Kind
  readonly name: string
  readonly operation: Operation
  /** Its `operationId` in the OpenAPI document. */
  readonly id: string
  /** Adapter whose brand the path contains; absent where `:key` names the adapter. */
  readonly slug?: string
}

/** A method and a path with the operations behind it: at most one of each kind. */
export interface Endpoint {
  readonly method: Method
  readonly path: string
  readonly offers: readonly EndpointOperation[]
}

/** Returns all endpoints of the adapters: those of all operations, and those whose path contains an adapter's brand. */
export function endpointsOf(kinds: readonly Kind[], adapters: readonly Adapter[]): Endpoint[] {
  const found = new Map<string, Endpoint>()
  const add = (method: Method, path: string, offer: EndpointOperation) => {
    const name = `${method} ${path}`
    const offers = found.get(name)?.offers ?? []
    // Two slugs may result in one brand (`a-b` and `a--b`); the first one gets the path.
    if (!offers.some(({ kind }) => kind.name === offer.kind.name)) found.set(name, { method, path, offers: [...offers, offer] })
  }
  for (const kind of kinds)
    for (const [name, operation] of Object.entries(kind.operations))
      for (const method of operation.methods) {
        const offer = { kind, name, operation }
        for (const path of operation.paths)
          add(method, path.startsWith('/') ? path : `${STORE_BASE_PATH}/${path}`, { ...offer, id: idOf(offer, path, method) })
        for (const { slug } of adapters.filter((adapter) => isBranded(kind, name, adapter)))
          if (operation.brand !== undefined)
            add(method, brandPath(operation.brand, slug.replace(new RegExp(`-${kind.name}$`), '')), {
              ...offer,
              id: `${kind.name}.${name}.${slug}${methodSuffix(operation, method)}`,
              slug,
            })
      }
  return [...found.values()]
}

const isBranded = (kind: Kind, operation: string, adapter: Adapter) =>
  adapter.kind === kind.name && adapter.branded?.includes(operation) === true

/** Further spellings and methods of an operation get ids of their own. */
function idOf({ kind, name, operation }: Omit<EndpointOperation, 'id'>, path: string, method: Method): string {
  const spelling = operation.paths.indexOf(path) > 0 ? `.${path.split('/')[0]}` : ''
  return `${kind.name}.${name}${spelling}${methodSuffix(operation, method)}`
}

const methodSuffix = ({ methods }: Operation, method: Method) => (methods.indexOf(method) > 0 ? `.${method.toLowerCase()}` : '')

/** Inserts a slug into a branded path: `/v1/actions/get{Brand}Products` and `google-sheets` give `/v1/actions/getGoogleSheetsProducts`. */
export function brandPath(pattern: string, slug: string): string {
  const brand = slug.replace(/-+(.?)/g, (_, letter: string) => letter.toUpperCase())
  return pattern.replace('{brand}', brand).replace('{Brand}', brand.charAt(0).toUpperCase() + brand.slice(1))
}

/** Returns true if the operation belongs to a store's connection, false if it has an absolute path. */
export const isStoreOperation = ({ paths }: Pick<Operation, 'paths'>): boolean => paths.some((path) => !path.startsWith('/'))

/** Returns true if the platform calls the endpoint. Kinds may not share one path for callbacks and other calls. */
export const isCallbackEndpoint = ({ offers }: Endpoint): boolean => offers.every(({ operation }) => operation.callback)

/** Returns true if customers of the shop may call the endpoint. */
export const isPublicEndpoint = ({ offers }: Endpoint): boolean => offers.every(({ operation }) => operation.storefront)

/**
 * Rights that a caller needs: the lowest role in the store, the scope of an API key, the permission of a restricted member where it is
 * not the scope, and the product of the store's project.
 */
export interface AccessRequirement {
  readonly role: Role
  readonly scope: Scope
  readonly permission?: Permission
  readonly product?: Product
}

/** Returns the rights that an operation requires. */
export const accessRequirementOf = ({ kind, operation: { scope, permission, role } }: EndpointOperation): AccessRequirement => ({
  role,
  scope: scope ?? kind.scopes[role === 'viewer' ? 'read' : 'write'],
  ...(permission && { permission }),
  ...(kind.product && { product: kind.product }),
})

/** Returns the distinct rights that the operations of an endpoint require. */
export const accessRequirementsAt = ({ offers }: Endpoint): AccessRequirement[] => [
  ...new Map(offers.map(accessRequirementOf).map((needed) => [JSON.stringify(needed), needed])).values(),
]
