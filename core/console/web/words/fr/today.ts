import type { today as english } from '../en/today.ts'
import type { WordsLike } from '../words.ts'

/** Words of the page of what waits. */
export const today: WordsLike<typeof english> = {
  'today.empty': 'Rien ne vous attend.',
  'today.partial': "Tout n'a pas pu être compté. Nouvel essai dans une minute.",
  'today.since': 'Depuis',
  'today.more': 'et plus',
  'today.group.orders': 'Commandes',
  'today.group.parcels': 'Colis',
  'today.group.money': 'Argent',
  'today.group.connections': 'Connexions',
  'today.kind.orders_to_confirm': { one: '{count} commande à confirmer', other: '{count} commandes à confirmer' },
  'today.kind.returns_awaited': { one: '{count} retour attendu', other: '{count} retours attendus' },
  'today.kind.shop_orders_unreadable': {
    one: "{count} commande d'une boutique connectée est illisible",
    other: '{count} commandes de boutiques connectées sont illisibles',
  },
  'today.kind.shop_orders_waiting': {
    one: "{count} commande d'une boutique connectée ne peut pas encore être importée",
    other: '{count} commandes de boutiques connectées ne peuvent pas encore être importées',
  },
  'today.kind.orders_to_send': { one: '{count} commande à expédier', other: '{count} commandes à expédier' },
  'today.kind.orders_not_dispatched': {
    one: '{count} commande sans transporteur trouvé',
    other: '{count} commandes sans transporteur trouvé',
  },
  'today.kind.parcels_refused': { one: '{count} colis refusé par le transporteur', other: '{count} colis refusés par le transporteur' },
  'today.kind.parcels_outcome_unknown': {
    one: '{count} colis peut-être chez le transporteur',
    other: '{count} colis peut-être chez le transporteur',
  },
  'today.kind.payouts_to_confirm': {
    one: "{count} versement d'un transporteur à confirmer",
    other: '{count} versements de transporteurs à confirmer',
  },
  'today.kind.gateway_payouts_to_review': {
    one: "{count} versement d'une passerelle à examiner",
    other: '{count} versements de passerelles à examiner',
  },
  'today.kind.payments_to_review': { one: '{count} paiement à examiner', other: '{count} paiements à examiner' },
  'today.kind.connections_to_repair': { one: '{count} connexion à réparer', other: '{count} connexions à réparer' },
  'today.kind.statuses_unknown': {
    one: '{count} statut de transporteur sans signification',
    other: '{count} statuts de transporteurs sans signification',
  },
  'today.kind.shop_goods_unmatched': {
    one: "{count} article d'une boutique connectée sans produit",
    other: '{count} articles de boutiques connectées sans produit',
  },
  'today.kind.webhooks_failing': { one: '{count} webhook en échec', other: '{count} webhooks en échec' },
  'today.kind.webhooks_switched_off': { one: '{count} webhook désactivé', other: '{count} webhooks désactivés' },
}
