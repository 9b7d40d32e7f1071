import type { StatusPushed } from '../../../../plugins/connector/index.ts'
import { sameHeader } from '../../../../plugins/spreadsheet/headers.ts'
import type { HeaderLanguage } from '../../../../plugins/spreadsheet/model.ts'
import { fold } from '../../../platform/geo/names/fold.ts'
import type { ImportProblem } from '../connectors.model.ts'

/** Text in each language of sheets. */
type Translations = Readonly<Record<HeaderLanguage, string>>

/** Headers of the column with the row's id, which only the server writes. */
export const rowIdHeaders: Translations = { ar: 'معرف السطر', fr: 'ID ligne', en: 'Row ID' }
/** Headers of the column with the state of the order, which only the server writes. */
export const stateHeaders: Translations = { ar: 'متابعة الطلب', fr: 'Suivi commande', en: 'Order state' }

/** Finds the header that a tab already has for a column, in any language. Of several it returns the last, which was in use. */
export const findPresentHeader = (ours: Translations, headers: readonly string[]): string | undefined =>
  headers.findLast((header) => Object.values(ours).some((one) => sameHeader(one, header)))

/** Reason for which a row cannot be read as an order. */
export type RowProblem = 'product' | 'quantity' | 'amount' | 'several' | 'rounded'

const problems: Readonly<Record<RowProblem, Translations>> = {
  product: { ar: 'لم يكتب اسم المنتج', fr: 'Aucun produit n’est indiqué', en: 'No product is named' },
  quantity: { ar: 'الكمية ليست عددا', fr: 'La quantité n’est pas un nombre', en: 'The quantity is not a number' },
  amount: { ar: 'مبلغ لا يمكن قراءته', fr: 'Un montant est illisible', en: 'An amount cannot be read' },
  rounded: {
    ar: 'رقم اختصره الجدول: اجعل العمود نصا واكتبه كاملا',
    fr: 'Un numéro a été arrondi par le tableur : mettez la colonne en texte et écrivez-le en entier',
    en: 'A number was rounded by the spreadsheet: format the column as text and write it in full',
  },
  several: {
    ar: 'عدة منتجات بمبلغ واحد: اكتب كل منتج في سطر، أو اترك المبلغ فارغا',
    fr: 'Plusieurs produits pour un seul montant : une ligne par produit, ou laissez le montant vide',
    en: 'Several products for one amount: give each a row of its own, or leave the amount out',
  },
}

const importProblemTexts: Readonly<Record<ImportProblem, Translations>> = {
  goods: {
    ar: 'المنتج غير معروف: حدده في صندوق الوارد',
    fr: 'Produit inconnu : indiquez-le dans la boîte de réception',
    en: 'The product is unknown: match it in the inbox',
  },
  currency: { ar: 'عملة أخرى', fr: 'Autre devise', en: 'Another currency' },
  phone: {
    ar: 'رقم الهاتف ناقص أو غير صحيح',
    fr: 'Le numéro de téléphone manque ou est incorrect',
    en: 'The phone number is missing or wrong',
  },
  stock: { ar: 'الكمية غير متوفرة في المخزون', fr: 'Stock insuffisant', en: 'There is not enough in stock' },
  refused: { ar: 'تم رفض الطلب', fr: 'Commande refusée', en: 'It cannot be imported' },
  busy: { ar: 'قيد الانتظار', fr: 'En attente', en: 'Waiting' },
  unreadable: { ar: 'لا يمكن قراءة الطلب', fr: 'Commande illisible', en: 'The order cannot be read' },
  not_followed: {
    ar: 'لم يُطبق التغيير: الطلب عند شركة التوصيل',
    fr: 'Modification non appliquée : le transporteur a déjà la commande',
    en: 'The change was not applied: the carrier has the order',
  },
}

const states: Readonly<Record<StatusPushed['status'] | 'taken', Translations>> = {
  taken: { ar: 'تم استلام الطلب', fr: 'Reçue', en: 'Received' },
  confirmed: { ar: 'مؤكد', fr: 'Confirmée', en: 'Confirmed' },
  sent: { ar: 'عند شركة التوصيل', fr: 'Expédiée', en: 'Sent' },
  delivered: { ar: 'تم التسليم', fr: 'Livrée', en: 'Delivered' },
  returned: { ar: 'مرتجع', fr: 'Retournée', en: 'Returned' },
  cancelled: { ar: 'ملغى', fr: 'Annulée', en: 'Cancelled' },
}

/** Describes why a row cannot be read, with the cell. */
export const describeRowProblem = (problem: RowProblem, cell: string | null, language: HeaderLanguage): string =>
  `⚠ ${problems[problem][language]}${cell === null ? '' : `: ${cell}`}`

/** Describes why an order waits. For a refusal it adds the message. */
export const describeImportProblem = (why: ImportProblem, message: string | null, language: HeaderLanguage): string =>
  why === 'refused' && message ? `⚠ ${importProblemTexts.refused[language]}: ${message}` : `⚠ ${importProblemTexts[why][language]}`

/** Describes the state of an order, with further texts such as its carrier. */
export const describeOrderState = (
  state: keyof typeof states,
  language: HeaderLanguage,
  ...additions: readonly (string | undefined)[]
): string => [states[state][language], ...additions].filter(Boolean).join(' · ')

const cancelled = [
  'annulé',
  'annulée',
  'annule',
  'annulee',
  'cancelled',
  'canceled',
  'cancel',
  'ملغى',
  'ملغي',
  'ملغاة',
  'الغاء',
  'إلغاء',
].map(fold)

/** Returns true if the text in a row's status column means "cancelled". */
export const isCancelledText = (status: string): boolean => cancelled.includes(fold(status))
