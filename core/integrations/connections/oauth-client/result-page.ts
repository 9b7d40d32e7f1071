import { type Language, noticeResponse } from '../../../http/pages/notice-page.ts'
import type { SignInResult } from './finish-sign-in.ts'

const messages: Readonly<Record<Language, Record<SignInResult['outcome'], string>>> = {
  ar: { connected: 'تم الربط. يمكنكم إغلاق هذه الصفحة.', denied: 'لم يُمنح الإذن. لم يتغيّر شيء.', failed: 'تعذّر الربط. حاولوا من جديد.' },
  fr: {
    connected: 'La connexion est établie. Vous pouvez fermer cette page.',
    denied: "L'autorisation a été refusée. Rien n'a changé.",
    failed: "La connexion n'a pas abouti. Recommencez.",
  },
  en: {
    connected: 'It is connected. You can close this page.',
    denied: 'Permission was not given. Nothing has changed.',
    failed: 'It could not be connected. Try again.',
  },
}
const TONES = { connected: 'good', denied: 'bad', failed: 'bad' } as const

const languageIn = (accepted: string | null): Language => (/^\s*(ar|fr)\b/i.exec(accepted ?? '')?.[1]?.toLowerCase() as Language) ?? 'en'

/** Renders the page after a sign-in without `returnTo`. It names the store, so that the user sees which one they connected. */
export function signInResultPage({ outcome, label, storeName, message }: SignInResult, accepted: string | null): Response {
  const language = languageIn(accepted)
  const notes = [storeName, ...(message === null ? [] : [message])]
  return noticeResponse({ language, title: label, tone: TONES[outcome], text: messages[language][outcome], notes })
}

/** Adds the connection and the outcome to the `returnTo` address. */
export function returnUrlWithOutcome(returnTo: string, { outcome, connectionId, key }: SignInResult): string {
  const url = new URL(returnTo)
  url.searchParams.set('connection', connectionId)
  url.searchParams.set('integration', key)
  url.searchParams.set('outcome', outcome)
  return url.href
}
