import { languageOf } from '../../../http/pages/language.ts'
import { goOn, type Language, noticeResponse } from '../../../http/pages/notice-page.ts'

/** What an authorization server sent a browser back with. */
export interface Returned {
  readonly state?: string | undefined
  readonly code?: string | undefined
  readonly iss?: string | undefined
  readonly error?: string | undefined
}

interface Words {
  readonly title: string
  readonly back: string
  readonly denied: string
  readonly over: string
}

const said: Readonly<Record<Language, Words>> = {
  ar: {
    title: 'أدوات المساعد',
    back: 'انسخوا ما يلي إلى التطبيق الذي بدأتم منه. لا يصلح إلا مرة واحدة ولكم وحدكم.',
    denied: 'لم يُمنح الإذن. لم يتغيّر شيء.',
    over: 'انتهت صلاحية هذا الطلب أو استُعمل. ابدؤوا من جديد.',
  },
  fr: {
    title: "Outils de l'assistant",
    back: "Copiez ceci dans l'application où vous avez commencé. Cela ne sert qu'une fois, et qu'à vous.",
    denied: "L'autorisation n'a pas été donnée. Rien n'a changé.",
    over: 'Cette demande est expirée ou déjà utilisée. Recommencez.',
  },
  en: {
    title: 'Tools of the assistant',
    back: 'Copy this into the app where you began. It works once, and for you alone.',
    denied: 'Permission was not given. Nothing has changed.',
    over: 'This sign-in is over or was used. Begin again.',
  },
}

/**
 * The browser goes on to the page that its person named when he began, with what it brought behind a fragment, which no server sees; else it
 * shows that. Nobody is signed in by coming here: the one who began ends it, in his own session.
 */
export function returnPage(
  signIn: { readonly returnTo: string | null } | undefined,
  returned: Returned,
  accepted: string | null,
): Response {
  const language = languageOf(null, accepted)
  const words = said[language]
  const brought = Object.entries(returned).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  if (!signIn) return refused(noticeResponse({ language, title: words.title, tone: 'bad', said: words.over }))
  if (signIn.returnTo !== null) return goOn(`${signIn.returnTo}#${new URLSearchParams(Object.fromEntries(brought))}`)
  if (returned.code === undefined) return noticeResponse({ language, title: words.title, tone: 'bad', said: words.denied })
  return noticeResponse({ language, title: words.title, tone: 'waiting', said: words.back, facts: brought })
}

const refused = (page: Response) => new Response(page.body, { status: 400, headers: page.headers })
