import type { Language } from '../../http/pages/notice-page.ts'

/** Title of the notification about a mention, by language. `{author}` wrote the comment on the order `{reference}`. */
export const mentionTitles: Readonly<Record<Language, string>> = {
  en: '{author} mentioned you on order {reference}',
  fr: '{author} vous a mentionné sur la commande {reference}',
  ar: 'أشار إليك {author} في الطلبية {reference}',
}
