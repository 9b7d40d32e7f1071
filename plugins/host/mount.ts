import { type AnyElysia, Elysia } from 'elysia'
import type { Adapter, ChallengeAnswer, InboundRequest } from '../adapter.ts'
import { type Kind, offers } from '../kind.ts'
import { kinds as ours } from '../kinds.ts'
import type { Method, Operation } from '../operation.ts'
import { type Address, addressesOf, BASE, isCallback, isPublic, type Needed, neededAt, neededFor } from './addresses.ts'
import { detailOf, SHARED_TAG } from './detail.ts'
import { exactly } from './exactly.ts'
import { type Form, formOf, formOfAll, paramsOf } from './form.ts'
import type { AnyMounted } from './registry.ts'

/** One asked operation, as the edge read it. */
export interface Asked<A extends Adapter = Adapter, Name extends string = string> {
  readonly adapter: A
  readonly operation: Operation
  readonly name: Name
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  /** Of a callback: the exact bytes. */
  readonly inbound?: InboundRequest
  readonly caller: unknown
  /** Network address that the request comes from. */
  readonly address?: string
  readonly request: Request
  readonly set: { status?: number | string; headers: Record<string, string | number> }
}

/** What the core does for the routes of one kind. */
export interface KindHost<A extends Adapter = Adapter, Name extends string = string> {
  /** Performs an operation and gives what stands in `data`, a whole page where it answers a list, or a response of its own (a label's bytes). */
  perform(asked: Asked<A, Name>): Promise<unknown>
  /** A callback to the store's own address, with its exact bytes. Left out by a kind without a `webhook`. */
  receive?(adapter: A, storeId: string, request: InboundRequest): Promise<ChallengeAnswer>
}

/** What the core does for the routes of plugins. */
export interface PluginHost {
  /** Elysia with the macros that say who may ask. */
  readonly auth: AnyElysia
  /** By the name of the kind. */
  readonly kinds: Readonly<Record<string, KindHost>>
  /** Those that are there as the routes are built. */
  adapters(): readonly Adapter[]
  /** The adapter of this name, at the time of the request, of this kind where one alone is asked; throws "not found" where there is none. */
  find(slug: string, kind?: string): AnyMounted
  /** Throws "not found" for what the adapter does not offer. */
  refuse(adapter: Adapter): never
  /**
   * The hooks of a route that say who may ask. Where kinds share it and want different things, that is judged by `admit` and `enter` when it is
   * known which is meant. `isPublic`: anybody may. `isOfStore`: the path names the store.
   */
  gate(needed: readonly Needed[], how: { readonly isPublic: boolean; readonly isOfStore: boolean }): object
  /** Throws where nobody asks, or a key that may not. Without `needed`: whoever asks is somebody. */
  admit(caller: unknown, needed?: Needed): void
  /** Throws where somebody may not ask this of the store. */
  enter(caller: unknown, needed: Needed, storeId: string): Promise<void>
  /** Address under which the outside asked this request, with our own origin instead of its `Host`. */
  addressAsked(request: Request): string
  /** Reads a body of limited size. */
  readBytes(request: Request): Promise<Uint8Array>
}

/**
 * The routes of all plugins: one for each method and path of the kinds' operations, whatever adapters there are. Which one is meant, of
 * which kind it is and whether it can do that is seen when it is asked; so adapters come, change and go without these changing. Paths
 * that bear the name of a brand are there with their adapter.
 */
export function mountPlugins(host: PluginHost, kinds: readonly Kind[] = ours): AnyElysia {
  const app = new Elysia({ name: 'plugins' }).use(host.auth)
  for (const address of addressesOf(kinds, host.adapters())) mountAddress(app, address, host)
  mountWebhook(app, host)
  return app
}

type Edge = Pick<Asked, 'params' | 'query' | 'body' | 'caller' | 'address' | 'request' | 'set'>

/** The types of these routes are data, which Elysia's inference cannot follow: what a handler is given is said here. */
function route(app: AnyElysia, method: Method, path: string, handler: (edge: Edge) => Promise<unknown>, hooks: object) {
  app.route(method, path, (context: object) => handler(context as Edge), hooks)
}

/** An address as it is served, worked out once. */
interface Served {
  readonly address: Address
  /** What each kind takes there, by its name. */
  readonly forms: ReadonlyMap<string, Form>
  readonly isCallback: boolean
  /** Kinds that share it want different things: who may ask is seen when it is known which is meant. */
  readonly asksLater: boolean
}

function mountAddress(app: AnyElysia, address: Address, host: PluginHost) {
  const { method, path } = address
  const needed = neededAt(address)
  const forms = new Map(address.offers.map(({ kind, operation }) => [kind.name, formOf(operation, method, path)]))
  const served = { address, forms, isCallback: isCallback(address), asksLater: !isCallback(address) && needed.length > 1 }
  const { params, query, body, response } = formOfAll([...forms.values()])
  route(app, method, path, (edge) => perform(served, edge, host), {
    ...(served.isCallback
      ? { parse: 'none' }
      : host.gate(needed, { isPublic: isPublic(address), isOfStore: path.split('/').includes(':storeId') })),
    ...(params && { params }),
    ...(query && { query }),
    ...(body && { body }),
    ...(response && { response }),
    detail: detailOf(address),
  })
}

async function perform({ address, forms, ...how }: Served, edge: Edge, host: PluginHost): Promise<unknown> {
  if (how.asksLater) host.admit(edge.caller)
  const [first, ...others] = address.offers
  const { kind, adapter } = host.find(first?.slug ?? String(edge.params.key), others.length === 0 ? first?.kind.name : undefined)
  const offer = address.offers.find((one) => one.kind.name === kind.name)
  const form = forms.get(kind.name)
  if (!offer || !form || !offers(adapter, offer.operation)) return host.refuse(adapter)
  if (how.asksLater) host.admit(edge.caller, neededFor(offer))
  const { name, operation } = offer
  const { caller, address: from, request, set } = edge
  // A path without parameters has none.
  const { params = {}, query, body } = forms.size > 1 ? exactly(form, edge) : edge
  if (how.asksLater && params.storeId !== undefined) await host.enter(caller, neededFor(offer), params.storeId)
  const inbound = how.isCallback && { inbound: await inboundOf(request, host) }
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
  if (!found) throw new Error(`Nobody performs what is asked of plugins of the kind ${name}.`)
  return found
}

const inboundOf = async (request: Request, host: PluginHost): Promise<InboundRequest> => ({
  method: request.method,
  url: host.addressAsked(request),
  headers: Object.fromEntries(request.headers),
  body: await host.readBytes(request),
})

const WEBHOOK_METHODS: readonly Method[] = ['OPTIONS', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Callbacks carry no credential of ours: the adapter proves their bytes. */
function mountWebhook(app: AnyElysia, host: PluginHost) {
  const handler = async ({ request, params }: Edge) => {
    const { kind, adapter } = host.find(String(params.key))
    const { receive } = hostOf(host, kind)
    if (!receive || !offers(adapter, { needs: ['webhook'] })) return host.refuse(adapter)
    const { status, contentType, body } = await receive(adapter, String(params.storeId), await inboundOf(request, host))
    return new Response(body, { status, headers: { 'content-type': contentType } })
  }
  for (const method of WEBHOOK_METHODS) {
    const detail = {
      tags: [SHARED_TAG],
      summary: 'Callback of the other side, verified on its exact bytes',
      operationId: `webhook.${method}`,
      'x-callback': true,
    }
    route(app, method, `${BASE}/webhook`, handler, { parse: 'none', params: paramsOf(BASE), detail })
  }
}
