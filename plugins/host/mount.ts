import { type AnyElysia, Elysia } from 'elysia'
import type { Adapter, InboundRequest } from '../adapter.ts'
import { canServeOperation, type Kind } from '../kind.ts'
import { kinds as ours } from '../kinds.ts'
import type { Method, Operation } from '../operation.ts'
import { type EndpointSchemas, endpointSchemasOf, mergeEndpointSchemas, pathParametersOf } from './endpoint-schemas.ts'
import {
  type AccessRequirement,
  accessRequirementOf,
  accessRequirementsAt,
  type Endpoint,
  endpointsOf,
  isCallbackEndpoint,
  isPublicEndpoint,
  STORE_BASE_PATH,
} from './endpoints.ts'
import { openApiDetailOf, SHARED_TAG } from './openapi-detail.ts'
import type { AnyMountedAdapter } from './registry.ts'
import { validateInput } from './validate-input.ts'

/** One request for an operation, as the HTTP layer read it. */
export interface RequestedOperation<A extends Adapter = Adapter, Name extends string = string> {
  readonly adapter: A
  readonly operation: Operation
  readonly name: Name
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  /** Exact bytes of a callback. */
  readonly inbound?: InboundRequest
  readonly caller: unknown
  /** Network address of the caller. */
  readonly address?: string
  readonly request: Request
  readonly set: { status?: number | string; headers: Record<string, string | number> }
}

/** Functions that the core provides for the routes of one kind. */
export interface KindHost<A extends Adapter = Adapter, Name extends string = string> {
  /** Performs an operation. Returns the content of `data`, a whole page for a list, or a complete response (a label's bytes). */
  perform(asked: RequestedOperation<A, Name>): Promise<unknown>
  /** Handles a callback to the store's webhook address, with its exact bytes. Absent for a kind without `webhook`. */
  receive?(adapter: A, storeId: string, request: InboundRequest): Promise<Response>
}

/** Functions that the core provides for the routes of all plugins. */
export interface PluginHost {
  /** Elysia instance with the macros for access control. */
  readonly auth: AnyElysia
  /** Handlers by the name of the kind. */
  readonly kinds: Readonly<Record<string, KindHost>>
  /** Adapters that exist when the routes are built. */
  adapters(): readonly Adapter[]
  /** Finds the adapter with this slug at the time of the request, of this kind if one is given. Throws "not found" if there is none. */
  find(slug: string, kind?: string): AnyMountedAdapter
  /** Throws "not found" for an operation that the adapter does not offer. */
  refuse(adapter: Adapter): never
  /**
   * Returns the access-control hooks of a route. If kinds share the route with different requirements, `admit` and `enter` check them once
   * the kind is known. `isPublic` allows everybody; `isOfStore` means that the path names the store.
   */
  gate(needed: readonly AccessRequirement[], how: { readonly isPublic: boolean; readonly isOfStore: boolean }): object
  /** Throws if the request has no credential, or an API key without the required scope. Without `needed`, any credential passes. */
  admit(caller: unknown, needed?: AccessRequirement): void
  /** Throws if the caller lacks the rights in this store. */
  enter(caller: unknown, needed: AccessRequirement, storeId: string): Promise<void>
  /** Reads a callback: its public URL, with the server's own origin instead of the `Host` header, and its exact bytes, of limited size. */
  readInbound(request: Request): Promise<InboundRequest>
}

/**
 * Builds the routes of all plugins: one for each method and path of the kinds' operations, independent of the adapters. Each request
 * resolves its adapter, the kind and the offered operations, so adapters can change without new routes. Only branded paths are built from
 * the adapters present at the start.
 */
export function mountPlugins(host: PluginHost, kinds: readonly Kind[] = ours): AnyElysia {
  const app = new Elysia({ name: 'plugins' }).use(host.auth)
  for (const address of endpointsOf(kinds, host.adapters())) mountAddress(app, address, host)
  mountWebhook(app, host)
  return app
}

type Edge = Pick<RequestedOperation, 'params' | 'query' | 'body' | 'caller' | 'address' | 'request' | 'set'>

/** Adds a route. Elysia cannot infer the types of routes built from data, so the handler's input is cast here. */
function route(app: AnyElysia, method: Method, path: string, handler: (edge: Edge) => Promise<unknown>, hooks: object) {
  app.route(method, path, (context: object) => handler(context as Edge), hooks)
}

/** An endpoint, prepared once for all requests. */
interface PreparedEndpoint {
  readonly address: Endpoint
  /** Schemas of the input, by kind. */
  readonly forms: ReadonlyMap<string, EndpointSchemas>
  readonly isCallback: boolean
  /** True if the kinds at this endpoint require different rights, so that access is checked once the kind is known. */
  readonly isAccessDeferred: boolean
}

function mountAddress(app: AnyElysia, address: Endpoint, host: PluginHost) {
  const { method, path } = address
  const isOfStore = path.split('/').includes(':storeId')
  if (!isOfStore) assertNoPermission(address)
  const needed = accessRequirementsAt(address)
  const forms = new Map(address.offers.map(({ kind, operation }) => [kind.name, endpointSchemasOf(operation, method, path)]))
  const prepared = {
    address,
    forms,
    isCallback: isCallbackEndpoint(address),
    isAccessDeferred: !isCallbackEndpoint(address) && needed.length > 1,
  }
  const { params, query, body, response } = mergeEndpointSchemas([...forms.values()])
  route(app, method, path, (edge) => perform(prepared, edge, host), {
    ...(prepared.isCallback ? { parse: 'none' } : host.gate(needed, { isPublic: isPublicEndpoint(address), isOfStore })),
    ...(params && { params }),
    ...(query && { query }),
    ...(body && { body }),
    ...(response && { response }),
    detail: openApiDetailOf(address),
  })
}

/** Throws for an operation whose permission nothing could check, since members have permissions in a store and the path names none. */
function assertNoPermission({ method, path, offers }: Endpoint): void {
  const found = offers.find(({ operation }) => operation.permission !== undefined)
  if (!found) return
  const { kind, name, operation } = found
  throw new Error(
    `The operation ${kind.name}.${name} needs the permission ${operation.permission} in a store, and its path names no store. Add :storeId to ${method} ${path}, or remove the permission.`,
  )
}

async function perform({ address, forms, ...flags }: PreparedEndpoint, edge: Edge, host: PluginHost): Promise<unknown> {
  if (flags.isAccessDeferred) host.admit(edge.caller)
  const [first, ...others] = address.offers
  const { kind, adapter } = host.find(first?.slug ?? String(edge.params.key), others.length === 0 ? first?.kind.name : undefined)
  const offer = address.offers.find((one) => one.kind.name === kind.name)
  const form = forms.get(kind.name)
  if (!offer || !form || !canServeOperation(adapter, offer.operation)) return host.refuse(adapter)
  if (flags.isAccessDeferred) host.admit(edge.caller, accessRequirementOf(offer))
  const { name, operation } = offer
  const { caller, address: from, request, set } = edge
  // A path without parameters has no `params`.
  const { params = {}, query, body } = forms.size > 1 ? validateInput(form, edge) : edge
  if (flags.isAccessDeferred && params.storeId !== undefined) await host.enter(caller, accessRequirementOf(offer), params.storeId)
  const inbound = flags.isCallback && { inbound: await host.readInbound(request) }
  const data = await hostOf(host, kind).perform({
    adapter,
    name,
    operation,
    params,
    query,
    body,
    ...inbound,
    caller,
    ...(from !== undefined && { address: from }),
    request,
    set,
  })
  if (data instanceof Response) return data
  if (operation.status !== undefined) set.status = operation.status
  return operation.rows ? data : { data }
}

function hostOf(host: PluginHost, { name }: Kind): KindHost {
  const found = host.kinds[name]
  if (!found) throw new Error(`The kind ${name} has no handler.`)
  return found
}

const WEBHOOK_METHODS: readonly Method[] = ['OPTIONS', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Adds the webhook routes. Callbacks carry no credential of ours; the adapter verifies their bytes. */
function mountWebhook(app: AnyElysia, host: PluginHost) {
  const handler = async ({ request, params }: Edge) => {
    const { kind, adapter } = host.find(String(params.key))
    const { receive } = hostOf(host, kind)
    if (!receive || !canServeOperation(adapter, { needs: ['webhook'] })) return host.refuse(adapter)
    return receive(adapter, String(params.storeId), await host.readInbound(request))
  }
  for (const method of WEBHOOK_METHODS) {
    const detail = {
      tags: [SHARED_TAG],
      summary: 'Callback of the platform, verified on its exact bytes',
      operationId: `webhook.${method}`,
      'x-callback': true,
    }
    route(app, method, `${STORE_BASE_PATH}/webhook`, handler, { parse: 'none', params: pathParametersOf(STORE_BASE_PATH), detail })
  }
}
