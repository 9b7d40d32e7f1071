import type { Language } from '../../../../http/pages/language.ts'

/** Words of the document of a manifest. */
export interface DocumentWords {
  readonly title: string
  readonly draft: string
  readonly number: string
  readonly carrier: string
  readonly store: string
  readonly date: string
  readonly parcels: string
  readonly tracking: string
  readonly recipient: string
  readonly city: string
  readonly collects: string
  readonly total: string
  readonly signStore: string
  readonly signCarrier: string
  readonly page: string
}

/** Words of the document, by language. */
export const documentWords: Readonly<Record<Language, DocumentWords>> = {
  en: {
    title: 'Handover manifest',
    draft: 'Draft, not closed yet',
    number: 'Manifest',
    carrier: 'Carrier',
    store: 'Store',
    date: 'Date',
    parcels: 'Parcels',
    tracking: 'Tracking number',
    recipient: 'Recipient',
    city: 'Commune',
    collects: 'To collect',
    total: 'Total to collect',
    signStore: 'For the store: name and signature',
    signCarrier: 'For the carrier: name and signature',
    page: 'Page',
  },
  fr: {
    title: 'Bon de remise des colis',
    draft: 'Brouillon, pas encore clôturé',
    number: 'Bon de remise',
    carrier: 'Transporteur',
    store: 'Boutique',
    date: 'Date',
    parcels: 'Colis',
    tracking: 'Numéro de suivi',
    recipient: 'Destinataire',
    city: 'Commune',
    collects: 'À encaisser',
    total: 'Total à encaisser',
    signStore: 'Pour la boutique : nom et signature',
    signCarrier: 'Pour le transporteur : nom et signature',
    page: 'Page',
  },
  ar: {
    title: 'كشف تسليم الطرود',
    draft: 'مسودة، لم يُغلق الكشف بعد',
    number: 'رقم الكشف',
    carrier: 'شركة التوصيل',
    store: 'المتجر',
    date: 'التاريخ',
    parcels: 'عدد الطرود',
    tracking: 'رقم التتبع',
    recipient: 'المستلم',
    city: 'البلدية',
    collects: 'المبلغ المطلوب',
    total: 'مجموع المبالغ المطلوبة',
    signStore: 'عن المتجر: الاسم والتوقيع',
    signCarrier: 'عن شركة التوصيل: الاسم والتوقيع',
    page: 'صفحة',
  },
}
