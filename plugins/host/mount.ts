import { Type as T, type TObject } from '@sinclair/typebox'
import { type AnyElysia, Elysia } from 'elysia'
import type { Carrier, InboundRequest } from '../carrier/contract.ts'
import { offers } from '../carrier/offered.ts'
import { type CarrierOperation, type CarrierOperationName, carrierOperations } from '../carrier/operations.ts'
import type { Method } from '../operation.ts'
import type { Mounted } from './registry.ts'

/** One asked operation, as the edge read it. */
export interface Asked {
  readonly carrier: Carrier
  readonly operation: CarrierOperation
  readonly name: CarrierOperationName
  readonly params: Readonly<Record<string, string>> & { readonly storeId: string }
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly caller: unknown
  readonly request: Request
  readonly set: { status?: number | string; headers: Record<string, string | number> }
}

/** What the core does for carriers' routes. */
export interface CarrierHost {
  /** Elysia with the macros that say who may ask. */
  readonly auth: AnyElysia
  /** The carrier of this name, at the time of the request; throws "not found" where there is none. */
  carrier(slug: string): Mounted
  /** Throws "not found" for an operation that the carrier does not offer. */
  refuse(carrier: Carrier): never
  /** Performs an operation and gives what stands in `data`, or a response of its own (a label's bytes). */
  perform(asked: Asked): Promise<unknown>
  /** A callback of the carrier, with its exact bytes. */
  receive(mounted: Mounted, storeId: string, request: InboundRequest): Promise<{ status: number; contentType: string; body: string }>
  /** Reads a body of limited size. */
  readBytes(request: Request): Promise<Uint8Array>
}

const WEBHOOK_METHODS: readonly Method[] = ['OPTIONS', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * The routes of all carriers: one for each operation of the kind, whatever carriers there are. Which one is meant, and whether it can
 * do that, is seen when it is asked; so carriers come, change and go without any route changing.
 */
export function mountCarriers(host: CarrierHost): AnyElysia {
  // The position is `:key` everywhere, since a router knows one name per position.
  const app = new Elysia({ name: 'carriers', prefix: '/v1/stores/:storeId/integrations/:key' }).use(host.auth)
  for (const [name, operation] of Object.entries(carrierOperations) as [CarrierOperationName, CarrierOperation][]) {
    for (const path of operation.paths) for (const method of operation.methods) mountOperation(app, { name, operation, path, method }, host)
  }
  mountWebhook(app, host)
  return app
}

interface Place {
  readonly name: CarrierOperationName
  readonly operation: CarrierOperation
  readonly path: string
  readonly method: Method
}

type HandlerContext = Omit<Asked, 'carrier' | 'name' | 'operation'> & { params: { key: string } }

function mountOperation(app: AnyElysia, place: Place, host: CarrierHost) {
  const { name, operation, path, method } = place
  const status = operation.status ?? 200
  // The route's types are data here, so Elysia cannot infer the handler's context.
  app.route(
    method,
    `/${path}`,
    (async (context: HandlerContext) => {
      const { carrier } = host.carrier(context.params.key)
      if (!offers(carrier, name)) host.refuse(carrier)
      const data = await host.perform({ ...pick(context), carrier, name, operation })
      if (data instanceof Response) return data
      if (status !== 200) context.set.status = status
      return { data }
    }) as never,
    hooksOf(place) as never,
  )
}

function hooksOf({ name, operation, path, method }: Place) {
  const { summary, params, query, response, status = 200, mayTakeLonger, role, bytes } = operation
  const answer = response && T.Object({ data: response })
  // Where an operation is asked by POST too, what stood in the query stands in the body.
  const inBody = method === 'POST' && query !== undefined
  const body = inBody ? T.Object(query.properties, { additionalProperties: false }) : operation.body
  const spelling = operation.paths.indexOf(path) > 0 ? `.${path.split('/')[0]}` : ''
  return {
    access: role === 'viewer' ? 'parcels:read' : 'parcels:write',
    params: withKey(params),
    ...(query && !inBody && { query }),
    ...(body && { body }),
    ...(answer && { response: { [status]: answer, ...(mayTakeLonger && { 202: answer }) } }),
    detail: {
      tags: ['Carriers'],
      summary,
      operationId: `carrier.${name}${spelling}${operation.methods.indexOf(method) > 0 ? `.${method.toLowerCase()}` : ''}`,
      'x-role': role,
      ...(bytes && {
        responses: {
          200: { description: 'The bytes.', content: { [bytes]: { schema: { type: 'string', format: 'binary' } } } },
          302: { description: 'Served by the carrier.' },
        },
      }),
    },
  }
}

const pick = ({ params, query, body, caller, request, set }: HandlerContext) => ({ params, query, body, caller, request, set })

const Key = T.String({ minLength: 1, maxLength: 60, description: "the carrier's slug; GET /v1/adapters lists them with what each offers" })
const withKey = (params: TObject | undefined) =>
  T.Object({ storeId: T.String({ minLength: 1, maxLength: 64 }), key: Key, ...params?.properties })

/** Callbacks carry no credential of ours: the adapter proves their bytes. */
function mountWebhook(app: AnyElysia, host: CarrierHost) {
  for (const method of WEBHOOK_METHODS) {
    const detail = {
      tags: ['Carriers'],
      summary: 'Callback of a carrier, verified on its exact bytes',
      operationId: `carrier.webhook.${method}`,
      'x-callback': true,
    }
    app.route(
      method,
      '/webhook',
      (async ({ request, params }: { request: Request; params: { storeId: string; key: string } }) => {
        const mounted = host.carrier(params.key)
        if (!mounted.carrier.webhook) host.refuse(mounted.carrier)
        const inbound = { method, url: request.url, headers: Object.fromEntries(request.headers), body: await host.readBytes(request) }
        const { status, contentType, body } = await host.receive(mounted, params.storeId, inbound)
        return new Response(body, { status, headers: { 'content-type': contentType } })
      }) as never,
      { parse: 'none', params: withKey(undefined), detail } as never,
    )
  }
}
