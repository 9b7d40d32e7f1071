import type { StatusPushed } from '../../../../plugins/connector/index.ts'
import { sameHeader } from '../../../../plugins/spreadsheet/headers.ts'
import type { HeaderLanguage } from '../../../../plugins/spreadsheet/model.ts'
import { fold } from '../../../platform/geo/names/fold.ts'
import type { Why } from '../channels.model.ts'

type In = Readonly<Record<HeaderLanguage, string>>

/** The column by which a row is one order, and that of what became of it. Only the server writes in them. */
export const nameHeaders: In = { ar: 'معرف السطر', fr: 'ID ligne', en: 'Row ID' }
export const stateHeaders: In = { ar: 'متابعة الطلب', fr: 'Suivi commande', en: 'Order state' }

/** That of these columns which a tab has already, in whatever language; of several the last, which was written in until now. */
export const standingOf = (ours: In, headers: readonly string[]): string | undefined =>
  headers.findLast((header) => Object.values(ours).some((one) => sameHeader(one, header)))

/** Why a row cannot be read as an order. */
export type RowProblem = 'product' | 'quantity' | 'amount' | 'several' | 'rounded'

const problems: Readonly<Record<RowProblem, In>> = {
  product: { ar: 'لم يكتب اسم المنتج', fr: 'Aucun produit n’est indiqué', en: 'No product is named' },
  quantity: { ar: 'الكمية ليست عددا', fr: 'La quantité n’est pas un nombre', en: 'The quantity is no number' },
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

const whys: Readonly<Record<Why, In>> = {
  goods: {
    ar: 'المنتج غير معروف: حدده في الوارد',
    fr: 'Produit inconnu : indiquez-le dans la boîte de réception',
    en: 'The product is not known: say what it is, in the inbox',
  },
  currency: { ar: 'عملة أخرى', fr: 'Autre devise', en: 'Another currency' },
  phone: { ar: 'رقم الهاتف ناقص أو غير صحيح', fr: 'Le téléphone manque ou est faux', en: 'The phone number is missing or wrong' },
  stock: { ar: 'الكمية غير متوفرة في المخزون', fr: 'Stock insuffisant', en: 'There is not enough in stock' },
  refused: { ar: 'لا يمكن أخذ الطلب', fr: 'Commande refusée', en: 'It cannot be taken' },
  busy: { ar: 'قيد الانتظار', fr: 'En attente', en: 'Waiting' },
  unreadable: { ar: 'لا يمكن قراءة الطلب', fr: 'Commande illisible', en: 'The order cannot be read' },
  not_followed: {
    ar: 'لم يؤخذ التغيير: الطلب عند شركة التوصيل',
    fr: 'Modification non suivie : le transporteur a déjà la commande',
    en: 'The change was not followed: the carrier has the order',
  },
}

const states: Readonly<Record<StatusPushed['status'] | 'taken', In>> = {
  taken: { ar: 'تم أخذ الطلب', fr: 'Reçue', en: 'Received' },
  confirmed: { ar: 'مؤكد', fr: 'Confirmée', en: 'Confirmed' },
  sent: { ar: 'عند شركة التوصيل', fr: 'Expédiée', en: 'Sent' },
  delivered: { ar: 'تم التسليم', fr: 'Livrée', en: 'Delivered' },
  returned: { ar: 'مرتجع', fr: 'Retournée', en: 'Returned' },
  cancelled: { ar: 'ملغى', fr: 'Annulée', en: 'Cancelled' },
}

/** Says why a row is no order, and of which cell. */
export const problemWords = (problem: RowProblem, cell: string | null, language: HeaderLanguage): string =>
  `⚠ ${problems[problem][language]}${cell === null ? '' : `: ${cell}`}`

/** Why an order waits; what was refused in which words is said behind. */
export const whyWords = (why: Why, message: string | null, language: HeaderLanguage): string =>
  why === 'refused' && message ? `⚠ ${whys.refused[language]}: ${message}` : `⚠ ${whys[why][language]}`

export const stateWords = (state: keyof typeof states, language: HeaderLanguage, ...besides: readonly (string | undefined)[]): string =>
  [states[state][language], ...besides].filter(Boolean).join(' · ')

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

/** Whether what a person wrote as the status of a row calls its order off. */
export const saysCancelled = (status: string): boolean => cancelled.includes(fold(status))
