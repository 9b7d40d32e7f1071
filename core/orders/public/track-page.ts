import { type Language, type NoticePage, noticeResponse } from '../../http/pages/notice-page.ts'
import { formatDay, formatMoney } from '../../http/pages/page-format.ts'
import { type Decimal, decimal, decimalNumber } from '../../lib/money/decimal.ts'
import type { Tracked } from '../orders.model.ts'
import type { OrderStatus } from '../statuses.ts'

/** What a customer is told; several statuses are one thing to him. */
type Said = 'taken' | 'confirmed' | 'sent' | 'coming' | 'delivered' | 'returning' | 'cancelled' | 'lost'

const saidOf: Readonly<Record<OrderStatus, Said>> = {
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

const tones: Readonly<Record<Said, NoticePage['tone']>> = {
  taken: 'waiting',
  confirmed: 'waiting',
  sent: 'waiting',
  coming: 'waiting',
  delivered: 'good',
  returning: 'bad',
  cancelled: 'bad',
  lost: 'bad',
}

const words: Readonly<
  Record<
    Language,
    Record<
      | Said
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
    taken: 'We have your order. The shop will call you to confirm it.',
    confirmed: 'Your order is confirmed and is being prepared.',
    sent: 'Your order is on its way.',
    coming: 'Your order is out for delivery. Please keep your phone on.',
    delivered: 'Your order was delivered. Thank you.',
    returning: 'Your order went back to the shop.',
    cancelled: 'Your order was cancelled.',
    lost: 'Something went wrong with your parcel. The shop will call you.',
    order: 'Order',
    shop: 'Shop',
    goods: 'Goods',
    more: 'and more',
    amount: 'Amount',
    paid: 'Paid',
    nothingPaid: 'Nothing yet',
    left: 'Left to pay',
    carrier: 'Carrier',
    tracking: 'Tracking number',
    updated: 'Last news',
    unknown: 'There is no order at this link, or not any more. Ask the shop for it.',
  },
  fr: {
    taken: 'Nous avons votre commande. La boutique vous appellera pour la confirmer.',
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
    updated: 'Dernière nouvelle',
    unknown: 'Il n’y a pas, ou plus, de commande à ce lien. Demandez à la boutique.',
  },
  ar: {
    taken: 'وصلنا طلبكم. سيتصل بكم المتجر لتأكيده.',
    confirmed: 'تم تأكيد طلبكم وهو قيد التحضير.',
    sent: 'طلبكم في الطريق إليكم.',
    coming: 'طلبكم خرج للتوصيل. يرجى إبقاء الهاتف مفتوحًا.',
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
    nothingPaid: 'لا شيء بعد',
    left: 'الباقي للدفع',
    carrier: 'شركة التوصيل',
    tracking: 'رقم التتبع',
    updated: 'آخر خبر',
    unknown: 'لا يوجد طلب في هذا الرابط، أو لم يعد موجودًا. يرجى سؤال المتجر.',
  },
}

/** What the page names beside where the order is. Nothing of it says who the customer is. */
export interface Sold {
  readonly shop: string
  readonly currency: string
  readonly items: readonly { readonly name: string; readonly quantity: number }[]
  readonly total: string
  readonly paid: string
  /** Name of a carrier as people know it. */
  carrierName(slug: string): string
}

const GOODS_MAX = 20

/** Page for a person who opens the link of an order. */
export function trackPage(tracked: Tracked, sold: Sold, language: Language): Response {
  const { reference, status, parcels, carrier, trackingId, updatedAt, events } = tracked
  const say = words[language]
  const said = saidOf[status]
  return noticeResponse({
    language,
    title: `${say.order} ${reference}`,
    tone: tones[said],
    text: say[said],
    facts: [
      [say.shop, sold.shop],
      [say.goods, goodsOf(sold, say.more)],
      ...moneyOf(sold, status, language),
      ...shown(parcels.length > 1 ? parcels : [{ carrier, trackingId }], say, sold),
      [say.updated, formatDay(language, events.at(-1)?.at ?? updatedAt)],
    ],
  })
}

/** The link of an order that is not there, or not any more. */
export const unknownPage = (language: Language): Response =>
  noticeResponse({ language, title: words[language].order, tone: 'bad', text: words[language].unknown }, 404)

function goodsOf({ items }: Sold, more: string): string {
  const named = items.slice(0, GOODS_MAX).map(({ name, quantity }) => (quantity === 1 ? name : `${quantity} × ${name}`))
  return [...named, ...(items.length > GOODS_MAX ? [more] : [])].join(', ')
}

const OVER: readonly OrderStatus[] = ['delivered', 'returning', 'returned', 'cancelled', 'lost']

/** The amount, what is paid of it, and what the customer is still to pay, where anything. */
function moneyOf({ currency, total, paid }: Sold, status: OrderStatus, language: Language): [string, string][] {
  const say = words[language]
  const money = (amount: Decimal) => formatMoney(language, currency, decimalNumber(amount))
  const [whole, had] = [decimal(total), decimal(paid)]
  const isLeft = had < whole && !OVER.includes(status)
  return [
    [say.amount, money(whole)],
    [say.paid, had === 0n ? say.nothingPaid : money(had)],
    ...(isLeft && had > 0n ? [[say.left, money(whole - had)] as [string, string]] : []),
  ]
}

const shown = (
  parcels: readonly Pick<Tracked, 'carrier' | 'trackingId'>[],
  say: Record<'carrier' | 'tracking', string>,
  { carrierName }: Sold,
) =>
  parcels.flatMap(({ carrier, trackingId }) => [
    ...(carrier === null ? [] : [[say.carrier, carrierName(carrier)] as const]),
    ...(trackingId === null ? [] : [[say.tracking, trackingId] as const]),
  ])

/** Whether who asks is a browser that shows pages, and not a program. */
export const wantsPage = (accepted: string | null): boolean => (accepted ?? '').slice(0, 1000).toLowerCase().includes('text/html')
