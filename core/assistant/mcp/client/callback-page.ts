import { languageOf } from '../../../http/pages/language.ts'
import { type Language, noticeResponse, redirectTo } from '../../../http/pages/notice-page.ts'

/** Query with which an authorization server sends the browser back. */
export interface CallbackQuery {
  readonly state?: string | undefined
  readonly code?: string | undefined
  readonly iss?: string | undefined
  readonly error?: string | undefined
}

interface Texts {
  readonly title: string
  readonly back: string
  readonly denied: string
  readonly over: string
}

const texts: Readonly<Record<Language, Texts>> = {
  ar: {
    title: 'أدوات المساعد',
    back: 'انسخوا ما يلي إلى التطبيق الذي بدأتم منه. لا يصلح إلا مرة واحدة ولكم وحدكم.',
    denied: 'لم يُمنح الإذن. لم يتغيّر شيء.',
    over: 'انتهت صلاحية هذا الطلب أو سبق استعماله. ابدؤوا من جديد.',
  },
  fr: {
    title: "Outils de l'assistant",
    back: "Copiez ceci dans l'application où vous avez commencé. Cela ne fonctionne qu'une fois, et pour vous seul.",
    denied: "L'autorisation a été refusée. Rien n'a changé.",
    over: 'Cette demande a expiré ou a déjà servi. Recommencez.',
  },
  en: {
    title: 'Assistant tools',
    back: 'Copy this into the app where you started. It works once, and only for you.',
    denied: 'Permission was not given. Nothing has changed.',
    over: 'This sign-in has expired or was already used. Start again.',
  },
}

/**
 * Redirects the browser to the page named at the start, with the query in the fragment, which no server sees. Without such a page shows the
 * values to copy. This does not complete the sign-in: the user who started it does, in their own session.
 */
export function callbackPage(
  signIn: { readonly returnTo: string | null } | undefined,
  returned: CallbackQuery,
  accepted: string | null,
): Response {
  const language = languageOf(null, accepted)
  const text = texts[language]
  const fields = Object.entries(returned).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  if (!signIn) return badRequest(noticeResponse({ language, title: text.title, tone: 'bad', text: text.over }))
  if (signIn.returnTo !== null) return redirectTo(`${signIn.returnTo}#${new URLSearchParams(Object.fromEntries(fields))}`)
  if (returned.code === undefined) return noticeResponse({ language, title: text.title, tone: 'bad', text: text.denied })
  return noticeResponse({ language, title: text.title, tone: 'waiting', text: text.back, facts: fields })
}

const badRequest = (page: Response) => new Response(page.body, { status: 400, headers: page.headers })
