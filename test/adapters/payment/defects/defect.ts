import type {
  AdapterContext,
  FetchInit,
  GatewayEvent,
  InboundRequest,
  PaymentAdapter,
  WebhookResult,
} from '../../../../plugins/payment/index.ts'

type Fetch = (url: string, init?: FetchInit) => Promise<Response>
/** A context that asks otherwise. */
export const asking = (context: AdapterContext, fetch: (real: Fetch) => Fetch): AdapterContext => ({
  ...context,
  fetch: fetch(context.fetch),
})
export const reading =
  (change: (news: GatewayEvent) => GatewayEvent) =>
  (gateway: PaymentAdapter): Partial<PaymentAdapter> => ({
    read: async (context, id) => change(await gateway.read(context, id)),
  })
type Step<V> = (gateway: PaymentAdapter) => (request: InboundRequest, context: AdapterContext) => V | Promise<V>
const receiving = (
  gateway: PaymentAdapter,
  receive: (result: WebhookResult<GatewayEvent>, ...given: [InboundRequest, AdapterContext]) => Promise<WebhookResult<GatewayEvent>>,
): Partial<PaymentAdapter> => ({
  webhook: {
    ...gateway.webhook!,
    receive: async (request, context) => receive(await gateway.webhook!.receive(request, context), request, context),
  },
})
/** Believes what `verify` believes, and reads what the good gateway reads. */
export const believing = (verify: Step<boolean>) => (gateway: PaymentAdapter) =>
  receiving(gateway, async (result, ...given) => {
    if (!(await verify(gateway)(...given))) return { outcome: 'invalid' }
    return result.outcome === 'events' ? result : { outcome: 'events', signed: true, events: [] }
  })
/** Believes what the good gateway believes, and reads as `parse` does. */
export const parsing = (parse: Step<GatewayEvent[]>) => (gateway: PaymentAdapter) =>
  receiving(gateway, async (result, ...given) =>
    result.outcome === 'events' ? { ...result, events: await parse(gateway)(...given) } : result,
  )
export const again = async <V>(work: () => V | Promise<V>) => {
  try {
    return await work()
  } catch {
    return work()
  }
}

/** A good gateway with one fault, and the case that must catch it. */
export interface Defect {
  readonly of: PaymentAdapter
  readonly what: string
  readonly caught: string
  readonly by: (gateway: PaymentAdapter) => Partial<PaymentAdapter>
}
export const defect = (of: PaymentAdapter, what: string, caught: string, by: Defect['by']): Defect => ({ of, what, caught, by })

export const arrives = 'a checkout arrives as requested'
