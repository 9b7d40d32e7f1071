import { Type as T, type TObject } from '@sinclair/typebox'
import { type AnyElysia, Elysia } from 'elysia'
import type { Carrier, InboundRequest } from '../carrier/contract.ts'
import { operationsOf } from '../carrier/offered.ts'
import type { CarrierOperation, CarrierOperationName } from '../carrier/operations.ts'
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

/** What the core does for a carrier's routes. */
export interface CarrierHost {
  /** Elysia with the macros that say who may ask. */
  readonly auth: AnyElysia
  /** Performs an operation and gives what stands in `data`, or a response of its own (a label's bytes). */
  perform(asked: Asked): Promise<unknown>
  /** A callback of the carrier, with its exact bytes. */
  receive(mounted: Mounted, storeId: string, request: InboundRequest): Promise<{ status: number; contentType: string; body: string }>
  /** Reads a body of limited size. */
  readBytes(request: Request): Promise<Uint8Array>
}

const WEBHOOK_METHODS: readonly Method[] = ['OPTIONS', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** A carrier's routes, derived from what it can do. */
export function mountCarrier(mounted: Mounted, host: CarrierHost): AnyElysia {
  const { carrier } = mounted
  const app = new Elysia({ name: `carrier:${carrier.slug}`, prefix: `/v1/stores/:storeId/integrations/${carrier.slug}` }).use(host.auth)
  for (const [name, operation] of operationsOf(carrier)) {
    for (const path of operation.paths)
      for (const method of operation.methods) mountOperation(app, { carrier, name, operation, path, method }, host)
  }
  if (carrier.webhook) mountWebhook(app, mounted, host)
  return app
}

interface Place {
  readonly carrier: Carrier
  readonly name: CarrierOperationName
  readonly operation: CarrierOperation
  readonly path: string
  readonly method: Method
}

function mountOperation(app: AnyElysia, { carrier, name, operation, path, method }: Place, host: CarrierHost) {
  const { summary, params, query, body, response, status = 200, mayTakeLonger, role, bytes } = operation
  const answer = response && T.Object({ data: response })
  const spelling = operation.paths.indexOf(path) > 0 ? `.${path.split('/')[0]}` : ''
  const hooks = {
    access: role === 'viewer' ? 'parcels:read' : 'parcels:write',
    params: withStore(params),
    ...(query && { query }),
    ...(body && { body }),
    ...(answer && { response: { [status]: answer, ...(mayTakeLonger && { 202: answer }) } }),
    detail: {
      tags: [carrier.label],
      summary,
      operationId: `${carrier.slug}.${name}${spelling}`,
      'x-role': role,
      ...(bytes && {
        responses: {
          200: { description: 'The bytes.', content: { [bytes]: { schema: { type: 'string', format: 'binary' } } } },
          302: { description: 'Served by the carrier.' },
        },
      }),
    },
  }
  // The route's types are data here, so Elysia cannot infer the handler's context.
  app.route(
    method,
    `/${path}`,
    (async (context: Omit<Asked, 'carrier' | 'name' | 'operation'>) => {
      const data = await host.perform({ ...pick(context), carrier, name, operation })
      if (data instanceof Response) return data
      if (status !== 200) context.set.status = status
      return { data }
    }) as never,
    hooks as never,
  )
}

const pick = ({ params, query, body, caller, request, set }: Omit<Asked, 'carrier' | 'name' | 'operation'>) => ({
  params,
  query,
  body,
  caller,
  request,
  set,
})

const withStore = (params: TObject | undefined) => T.Object({ storeId: T.String({ minLength: 1, maxLength: 64 }), ...params?.properties })

/** Callbacks carry no credential of ours: the adapter proves their bytes. */
function mountWebhook(app: AnyElysia, mounted: Mounted, host: CarrierHost) {
  const { slug, label } = mounted.carrier
  const detail = (method: Method) => ({
    tags: [label],
    summary: 'Callback of the carrier, verified on its exact bytes',
    operationId: `${slug}.webhook.${method}`,
    'x-callback': true,
  })
  for (const method of WEBHOOK_METHODS) {
    app.route(
      method,
      '/webhook',
      (async ({ request, params }: { request: Request; params: { storeId: string } }) => {
        const inbound = { method, url: request.url, headers: Object.fromEntries(request.headers), body: await host.readBytes(request) }
        const { status, contentType, body } = await host.receive(mounted, params.storeId, inbound)
        return new Response(body, { status, headers: { 'content-type': contentType } })
      }) as never,
      { parse: 'none', params: withStore(undefined), detail: detail(method) } as never,
    )
  }
}
