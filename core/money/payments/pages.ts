import { fileForm } from '../../http/body/form.ts'
import { formResponse } from '../../http/pages/form-page.ts'
import { type Language, noticeResponse } from '../../http/pages/notice-page.ts'
import { formatMoney } from '../../http/pages/page-format.ts'
import { paymentErrors } from './payments.errors.ts'
import type { PaymentRow } from './payments.model.ts'
import { isUnderWay } from './statuses.ts'

const amountWords: Readonly<Record<Language, string>> = { ar: 'المبلغ', fr: 'Montant', en: 'Amount' }

/** Returns the common head of all pages of a payment: language, title and amount. */
const pageHeadOf = ({ language, currency, amount }: PaymentRow, title: string) => ({
  language,
  title,
  facts: [[amountWords[language], formatMoney(language, currency, Number(amount))] as const],
})

type Outcome = 'paid' | 'waiting' | 'over'

const outcomeWords: Readonly<Record<Language, Record<Outcome, string>>> = {
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
  if (returnTo !== undefined && !URL.canParse(returnTo)) throw paymentErrors.urlInvalid({ field: ['returnTo'] })
}

/** Returns the outcome as shown to the payer. A payment that waits for review counts as paid. */
export function payerOutcomeOf({ status }: Pick<PaymentRow, 'status'>): Outcome {
  if (status === 'paid' || status === 'partially_refunded' || status === 'refunded') return 'paid'
  return isUnderWay(status) ? 'waiting' : 'over'
}

/** Renders the page to which a payer returns if the shop set no page of its own. */
export function returnPage(payment: PaymentRow, title: string, language: Language): Response {
  const outcome = payerOutcomeOf(payment)
  return noticeResponse({
    ...pageHeadOf({ ...payment, language }, title),
    tone: TONES[outcome],
    text: outcomeWords[language][outcome],
    ...(outcome === 'waiting' && { refreshSeconds: REFRESH_SECONDS }),
  })
}

/** OpenAPI description of the form that the receipt page sends. */
export const receiptForm = fileForm('JPEG, PNG, WebP, GIF, AVIF or PDF, up to 8 MiB')

type ReceiptWords = Readonly<Record<'pay' | 'sent' | 'again' | 'file' | 'send', string>>

const receiptWords: Readonly<Record<Language, ReceiptWords>> = {
  ar: {
    pay: 'ادفعوا المبلغ كما هو مبيّن، ثم أرسلوا صورة الوصل.',
    sent: 'وصلنا الوصل. سيتم التحقق من الدفع.',
    again: 'لم يُقبل الوصل. يمكنكم إرسال وصل آخر.',
    file: 'صورة الوصل أو ملف PDF',
    send: 'إرسال',
  },
  fr: {
    pay: 'Payez comme indiqué, puis envoyez une photo du reçu.',
    sent: 'Le reçu est arrivé. Le paiement est en cours de vérification.',
    again: 'Le reçu n’a pas été accepté. Vous pouvez en envoyer un autre.',
    file: 'Photo du reçu, ou PDF',
    send: 'Envoyer',
  },
  en: {
    pay: 'Pay as described here, then send a picture of the receipt.',
    sent: 'The receipt has arrived. The payment is being verified.',
    again: 'The receipt was not accepted. You can send another one.',
    file: 'Picture of the receipt, or a PDF',
    send: 'Send',
  },
}

/** Renders the page with payment instructions and a form that sends the receipt to `action`. */
export function receiptPage(of: PaymentRow, title: string, action: string, language: Language): Response {
  const payment = { ...of, language }
  const { status, message, directions } = payment
  const texts = receiptWords[language]
  const { facts, ...head } = pageHeadOf(payment, title)
  const isRefused = status === 'failed'
  return formResponse({
    ...head,
    text: status === 'processing' ? texts.sent : texts.pay,
    ...(isRefused && { problem: message ? `${texts.again} ${message}` : texts.again }),
    facts: [...facts, ...(directions ?? []).map(({ name, value }) => [name, value] as const)],
    action,
    hidden: {},
    file: { name: 'file', label: texts.file, accept: 'image/*,application/pdf' },
    buttons: [{ label: texts.send }],
  })
}

/** Renders the page that confirms an uploaded receipt. */
export const receiptUploadedPage = (payment: PaymentRow, title: string, language: Language): Response =>
  noticeResponse({ ...pageHeadOf({ ...payment, language }, title), tone: 'waiting', text: receiptWords[language].sent })
