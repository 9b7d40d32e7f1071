import type { Language } from '../../../http/pages/notice-page.ts'
import { moneyText } from '../../../http/pages/page-format.ts'
import type { AtGateway } from '../payments.model.ts'

/** Subject of a payment, and its name for the payer. */
export interface PaidFor {
  readonly what: 'order' | 'subscription'
  readonly named: string
}

const words: Readonly<Record<Language, Record<PaidFor['what'] | 'amount', string>>> = {
  ar: { order: 'الطلب', subscription: 'اشتراك', amount: 'المبلغ' },
  fr: { order: 'Commande', subscription: 'Abonnement', amount: 'Montant' },
  en: { order: 'Order', subscription: 'Subscription', amount: 'Amount' },
}

/** Returns the common head of all pages of a payment: language, title and amount. */
export function headOf({ language, currency, amount }: Pick<AtGateway, 'language' | 'currency' | 'amount'>, { what, named }: PaidFor) {
  const texts = words[language]
  return { language, title: `${texts[what]} ${named}`, facts: [[texts.amount, moneyText(language, currency, Number(amount))] as const] }
}
