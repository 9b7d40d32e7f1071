import type { Checkout } from '../model.ts'

/** Builds a valid checkout request for a new payment. */
export function checkout(change: Partial<Checkout> = {}): Checkout {
  const mark = crypto.randomUUID().replaceAll('-', '').slice(0, 12)
  return {
    paymentId: `pay_${mark}`,
    reference: `ORD${mark.slice(0, 7).toUpperCase()}`,
    amount: 250_000,
    currency: 'DZD',
    description: `Order ${mark.slice(0, 7)}`,
    customer: { name: 'Karim Test', phone: '+213550000000', email: 'karim@shop.example' },
    language: 'fr',
    returnUrl: `https://shop.example/v1/payments/pay_${mark}/return?key=a%2Fb`,
    cancelUrl: `https://shop.example/v1/payments/pay_${mark}/return?given=up`,
    webhookUrl: 'https://shop.example/v1/stores/sto_rig/integrations/gateway/webhook',
    proofUrl: `https://shop.example/v1/payments/pay_${mark}/proof`,
    ...change,
  }
}
