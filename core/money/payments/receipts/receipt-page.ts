import { fileForm } from '../../../http/body/form.ts'
import { formResponse } from '../../../http/pages/form-page.ts'
import { type Language, noticeResponse } from '../../../http/pages/notice-page.ts'
import { type PaymentSubject, pageHeadOf } from '../pages/page-head.ts'
import type { GatewayPayment } from '../payments.model.ts'

/** OpenAPI description of the form that the receipt page sends. */
export const receiptForm = fileForm('JPEG, PNG, WebP, GIF, AVIF or PDF, up to 8 MiB')

type Words = Readonly<Record<'pay' | 'sent' | 'again' | 'file' | 'send', string>>

const words: Readonly<Record<Language, Words>> = {
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
export function receiptPage(of: GatewayPayment, paidFor: PaymentSubject, action: string, language: Language = of.language): Response {
  const payment = { ...of, language }
  const { status, message, directions } = payment
  const texts = words[language]
  const { facts, ...head } = pageHeadOf(payment, paidFor)
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
export const receiptUploadedPage = (payment: GatewayPayment, paidFor: PaymentSubject, language: Language = payment.language): Response =>
  noticeResponse({ ...pageHeadOf({ ...payment, language }, paidFor), tone: 'waiting', text: words[language].sent })
