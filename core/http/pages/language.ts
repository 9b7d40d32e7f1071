/** Languages of pages and mails. */
export const languages = ['en', 'fr', 'ar'] as const
/** Language of pages and mails. */
export type Language = (typeof languages)[number]

/** Returns the chosen language, or the first supported one that the browser accepts, or English. */
export const languageOf = (chosen: string | null, accepted: string | null): Language => firstSupported(chosen, accepted) ?? 'en'

/** Returns the language of the `Accept-Language` header; undefined if none is supported. */
export const preferredLanguage = (request: Request): Language | undefined => firstSupported(null, request.headers.get('accept-language'))

function firstSupported(chosen: string | null, accepted: string | null): Language | undefined {
  const wanted = [...(chosen ?? '').split(' '), ...(accepted ?? '').slice(0, 500).split(',')]
  return wanted
    .map((one) => one.trim().slice(0, 2).toLowerCase())
    .flatMap((word) => languages.find((language) => language === word) ?? [])
    .at(0)
}
