/** What pages and mails are written in. */
export const languages = ['en', 'fr', 'ar'] as const
export type Language = (typeof languages)[number]

/** The language that was chosen, else the first that the browser wants and we speak. */
export const languageOf = (chosen: string | null, accepted: string | null): Language => firstSpoken(chosen, accepted) ?? 'en'

/** What the caller's program wants, where it says so and we speak it. */
export const languageWanted = (request: Request): Language | undefined => firstSpoken(null, request.headers.get('accept-language'))

function firstSpoken(chosen: string | null, accepted: string | null): Language | undefined {
  const wanted = [...(chosen ?? '').split(' '), ...(accepted ?? '').slice(0, 500).split(',')]
  return wanted
    .map((one) => one.trim().slice(0, 2).toLowerCase())
    .flatMap((word) => languages.find((language) => language === word) ?? [])
    .at(0)
}
