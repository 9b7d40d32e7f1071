import { type Language, type NoticePage, noticeResponse } from '../../http/pages/notice-page.ts'
import { formatDay, formatMoney } from '../../http/pages/page-format.ts'
import { type Decimal, decimal, decimalNumber } from '../../lib/money/decimal.ts'
import type { TrackedOrder } from '../orders.model.ts'
import type { OrderStatus } from '../statuses.ts'

/** Status as the customer reads it; several order statuses share one. */
type CustomerStatus = 'taken' | 'confirmed' | 'sent' | 'coming' | 'delivered' | 'returning' | 'cancelled' | 'lost'

const customerStatusOf: Readonly<Record<OrderStatus, CustomerStatus>> = {
  pending: 'taken',
  unreachable: 'taken',
  postponed: 'taken',
  confirmed: 'confirmed',
  sent: 'sent',
  out_for_delivery: 'coming',
  delivered: 'delivered',
  returning: 'returning',
  returned: 'returning',
  cancelled: 'cancelled',
  lost: 'lost',
}

const tones: Readonly<Record<CustomerStatus, NoticePage['tone']>> = {
  taken: 'waiting',
  confirmed: 'waiting',
  sent: 'waiting',
  coming: 'waiting',
  delivered: 'good',
  returning: 'bad',
  cancelled: 'bad',
  lost: 'bad',
}

const texts: Readonly<
  Record<
    Language,
    Record<
      | CustomerStatus
      | 'order'
      | 'shop'
      | 'goods'
      | 'more'
      | 'amount'
      | 'paid'
      | 'nothingPaid'
      | 'left'
      | 'carrier'
      | 'tracking'
      | 'updated'
      | 'unknown',
      string
    >
  >
> = {
  en: {
    taken: 'We have received your order. The shop will call you to confirm it.',
    confirmed: 'Your order is confirmed and is being prepared.',
    sent: 'Your order is on its way.',
    coming: 'Your order is out for delivery. Please keep your phone on.',
    delivered: 'Your order was delivered. Thank you.',
    returning: 'Your order went back to the shop.',
    cancelled: 'Your order was cancelled.',
    lost: 'Something went wrong with your parcel. The shop will call you.',
    order: 'Order',
    shop: 'Shop',
    goods: 'Items',
    more: 'and more',
    amount: 'Amount',
    paid: 'Paid',
    nothingPaid: 'Nothing yet',
    left: 'Left to pay',
    carrier: 'Carrier',
    tracking: 'Tracking number',
    updated: 'Last update',
    unknown: 'There is no order at this link, or it was deleted. Please contact the shop.',
  },
  fr: {
    taken: 'Nous avons bien reçu votre commande. La boutique vous appellera pour la confirmer.',
    confirmed: 'Votre commande est confirmée et en cours de préparation.',
    sent: 'Votre commande est en route.',
    coming: 'Votre commande est en cours de livraison. Gardez votre téléphone allumé.',
    delivered: 'Votre commande a été livrée. Merci !',
    returning: 'Votre commande est repartie vers la boutique.',
    cancelled: 'Votre commande a été annulée.',
    lost: 'Un problème est survenu avec votre colis. La boutique vous appellera.',
    order: 'Commande',
    shop: 'Boutique',
    goods: 'Articles',
    more: 'et d’autres',
    amount: 'Montant',
    paid: 'Payé',
    nothingPaid: 'Rien pour l’instant',
    left: 'Reste à payer',
    carrier: 'Transporteur',
    tracking: 'Numéro de suivi',
    updated: 'Dernière mise à jour',
    unknown: 'Aucune commande ne correspond à ce lien, ou elle a été supprimée. Contactez la boutique.',
  },
  ar: {
    taken: 'استلمنا طلبكم. سيتصل بكم المتجر لتأكيده.',
    confirmed: 'تم تأكيد طلبكم وهو قيد التحضير.',
    sent: 'طلبكم في الطريق إليكم.',
    coming: 'خرج طلبكم للتوصيل. يرجى إبقاء الهاتف مفتوحًا.',
    delivered: 'تم تسليم طلبكم. شكرًا لكم.',
    returning: 'عاد طلبكم إلى المتجر.',
    cancelled: 'تم إلغاء طلبكم.',
    lost: 'حدثت مشكلة في طردكم. سيتصل بكم المتجر.',
    order: 'الطلب',
    shop: 'المتجر',
    goods: 'المنتجات',
    more: 'وغيرها',
    amount: 'المبلغ',
    paid: 'المدفوع',
    nothingPaid: 'لم يُدفع شيء بعد',
    left: 'المتبقي للدفع',
    carrier: 'شركة التوصيل',
    tracking: 'رقم التتبع',
    updated: 'آخر تحديث',
    unknown: 'لا يوجد طلب بهذا الرابط، أو تم حذفه. يرجى الاتصال بالمتجر.',
  },
}

/** Details of an order on its tracking page. They do not identify the customer. */
export interface TrackPageOrder {
  readonly shop: string
  readonly currency: string
  readonly items: readonly { readonly name: string; readonly quantity: number }[]
  readonly total: string
  readonly paid: string
  /** Returns the display name of a carrier. */
  carrierName(slug: string): string
}

const GOODS_MAX = 20

/** Renders the tracking page of an order. */
export function trackPage(tracked: TrackedOrder, sold: TrackPageOrder, language: Language): Response {
  const { reference, status, parcels, carrier, trackingId, updatedAt, events } = tracked
  const say = texts[language]
  const customerStatus = customerStatusOf[status]
  return noticeResponse({
    language,
    title: `${say.order} ${reference}`,
    tone: tones[customerStatus],
    text: say[customerStatus],
    facts: [
      [say.shop, sold.shop],
      [say.goods, goodsText(sold, say.more)],
      ...amountFacts(sold, status, language),
      ...carrierFacts(parcels.length > 1 ? parcels : [{ carrier, trackingId }], say, sold),
      [say.updated, formatDay(language, events.at(-1)?.at ?? updatedAt)],
    ],
  })
}

/** Renders the page for a link without an order, with status 404. */
export const unknownOrderPage = (language: Language): Response =>
  noticeResponse({ language, title: texts[language].order, tone: 'bad', text: texts[language].unknown }, 404)

function goodsText({ items }: TrackPageOrder, more: string): string {
  const named = items.slice(0, GOODS_MAX).map(({ name, quantity }) => (quantity === 1 ? name : `${quantity} × ${name}`))
  return [...named, ...(items.length > GOODS_MAX ? [more] : [])].join(', ')
}

const ENDED: readonly OrderStatus[] = ['delivered', 'returning', 'returned', 'cancelled', 'lost']

/** Facts about the amounts: the total, the amount paid, and the amount left to pay, if any. */
function amountFacts({ currency, total, paid }: TrackPageOrder, status: OrderStatus, language: Language): [string, string][] {
  const say = texts[language]
  const money = (amount: Decimal) => formatMoney(language, currency, decimalNumber(amount))
  const [whole, had] = [decimal(total), decimal(paid)]
  const isLeft = had < whole && !ENDED.includes(status)
  return [
    [say.amount, money(whole)],
    [say.paid, had === 0n ? say.nothingPaid : money(had)],
    ...(isLeft && had > 0n ? [[say.left, money(whole - had)] as [string, string]] : []),
  ]
}

const carrierFacts = (
  parcels: readonly Pick<TrackedOrder, 'carrier' | 'trackingId'>[],
  say: Record<'carrier' | 'tracking', string>,
  { carrierName }: TrackPageOrder,
) =>
  parcels.flatMap(({ carrier, trackingId }) => [
    ...(carrier === null ? [] : [[say.carrier, carrierName(carrier)] as const]),
    ...(trackingId === null ? [] : [[say.tracking, trackingId] as const]),
  ])

/** Returns true when the `Accept` header asks for HTML, as browsers do. */
export const acceptsHtml = (accepted: string | null): boolean => (accepted ?? '').slice(0, 1000).toLowerCase().includes('text/html')
