import type { Language } from '../../../http/pages/notice-page.ts'
import { moneyText } from '../../../http/pages/page-format.ts'
import type { AtGateway } from '../payments.model.ts'

/** What is paid, and by which name its payer knows it. */
export interface PaidFor {
  readonly what: 'order' | 'subscription'
  readonly named: string
}

const words: Readonly<Record<Language, Record<PaidFor['what'] | 'amount', string>>> = {
  ar: { order: 'الطلب', subscription: 'اشتراك', amount: 'المبلغ' },
  fr: { order: 'Commande', subscription: 'Abonnement', amount: 'Montant' },
  en: { order: 'Order', subscription: 'Subscription', amount: 'Amount' },
}

/** What every page of a payment begins with. */
export function headOf({ language, currency, amount }: Pick<AtGateway, 'language' | 'currency' | 'amount'>, { what, named }: PaidFor) {
  const say = words[language]
  return { language, title: `${say[what]} ${named}`, facts: [[say.amount, moneyText(language, currency, Number(amount))] as const] }
}
