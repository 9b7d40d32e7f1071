import type { Language } from '../../../http/pages/notice-page.ts'
import { formatMoney } from '../../../http/pages/page-format.ts'
import type { GatewayPayment } from '../payments.model.ts'

/** Subject of a payment, and its name for the payer. */
export interface PaymentSubject {
  readonly what: 'order' | 'subscription'
  readonly named: string
}

const words: Readonly<Record<Language, Record<PaymentSubject['what'] | 'amount', string>>> = {
  ar: { order: 'الطلب', subscription: 'اشتراك', amount: 'المبلغ' },
  fr: { order: 'Commande', subscription: 'Abonnement', amount: 'Montant' },
  en: { order: 'Order', subscription: 'Subscription', amount: 'Amount' },
}

/** Returns the common head of all pages of a payment: language, title and amount. */
export function pageHeadOf(
  { language, currency, amount }: Pick<GatewayPayment, 'language' | 'currency' | 'amount'>,
  { what, named }: PaymentSubject,
) {
  const texts = words[language]
  return { language, title: `${texts[what]} ${named}`, facts: [[texts.amount, formatMoney(language, currency, Number(amount))] as const] }
}
