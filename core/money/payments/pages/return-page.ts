import { invalidValue } from '../../../http/errors/errors.ts'
import { type Language, noticeResponse } from '../../../http/pages/notice-page.ts'
import type { GatewayPayment } from '../payments.model.ts'
import { isUnderWay } from '../statuses.ts'
import { type PaymentSubject, pageHeadOf } from './page-head.ts'

type Outcome = 'paid' | 'waiting' | 'over'

const words: Readonly<Record<Language, Record<Outcome, string>>> = {
  ar: {
    paid: 'تم الدفع بنجاح. شكرًا لكم.',
    waiting: 'ننتظر تأكيد الدفع.',
    over: 'لم يتم الدفع. يمكنكم العودة إلى المتجر والمحاولة من جديد.',
  },
  fr: {
    paid: 'Paiement effectué. Merci !',
    waiting: 'En attente de la confirmation du paiement.',
    over: "Le paiement n'a pas été effectué. Vous pouvez retourner à la boutique et réessayer.",
  },
  en: {
    paid: 'Your payment was received. Thank you.',
    waiting: 'Waiting for the payment to be confirmed.',
    over: 'Nothing was paid. You can go back to the shop and try again.',
  },
}

const TONES = { paid: 'good', waiting: 'waiting', over: 'bad' } as const
const REFRESH_SECONDS = 4

/** Checks that a return address is an absolute URL. Throws `invalid_request`. */
export function assertReturnAddress(returnTo: string | undefined): void {
  if (returnTo !== undefined && !URL.canParse(returnTo)) throw invalidValue('/body/returnTo', 'Must be an absolute URL: https://…')
}

/** Returns the outcome as shown to the payer. A payment that waits for review counts as paid. */
export function payerOutcomeOf({ status }: Pick<GatewayPayment, 'status'>): Outcome {
  if (status === 'paid' || status === 'partially_refunded' || status === 'refunded') return 'paid'
  return isUnderWay(status) ? 'waiting' : 'over'
}

/** Renders the page to which a payer returns if the shop set no page of its own. */
export function returnPage(
  payment: Pick<GatewayPayment, 'status' | 'language' | 'currency' | 'amount'>,
  paidFor: PaymentSubject,
  language: Language = payment.language,
): Response {
  const outcome = payerOutcomeOf(payment)
  return noticeResponse({
    ...pageHeadOf({ ...payment, language }, paidFor),
    tone: TONES[outcome],
    text: words[language][outcome],
    ...(outcome === 'waiting' && { refreshSeconds: REFRESH_SECONDS }),
  })
}
