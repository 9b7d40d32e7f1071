import type { AdapterContext, FetchInit, GatewayEvent, PaymentAdapter } from '../../../../plugins/payment/index.ts'

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
export const believing =
  (verify: (gateway: PaymentAdapter) => NonNullable<PaymentAdapter['webhook']>['verify']) =>
  (gateway: PaymentAdapter): Partial<PaymentAdapter> => ({ webhook: { ...gateway.webhook!, verify: verify(gateway) } })
export const parsing =
  (parse: (gateway: PaymentAdapter) => NonNullable<PaymentAdapter['webhook']>['parse']) =>
  (gateway: PaymentAdapter): Partial<PaymentAdapter> => ({ webhook: { ...gateway.webhook!, parse: parse(gateway) } })
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
