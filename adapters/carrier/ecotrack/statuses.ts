import { type CashStatus, foldName, type StatusRule } from 'serai/carrier'

/** Status name of a note to a parcel (`order.maj.added`), apart from those of its states. */
export const noteStatus = (type: string) => `maj ${type}`

const payoutReady = { status: 'delivered', cash: 'payout_ready' } as const
const paidOut = { status: 'delivered', cash: 'paid_out' } as const
const collected = { status: 'delivered', cash: 'collected' } as const

/** Statuses by order key, activity key, callback code or French text: companies use all of them. */
export const statuses: Readonly<Record<string, StatusRule>> = {
  // The company has the order, as a draft or in its own stock: `submitted` here.
  prete_a_preparer: 'submitted',
  'Prêt à préparer': 'submitted',
  en_preparation_stock: 'submitted',
  'Stock en préparation': 'submitted',
  prete_a_expedier: 'submitted',
  'Prêt à expédier': 'submitted',
  order_information_received_by_carrier: 'submitted',
  en_ramassage: 'submitted',

  picked: 'picked_up',

  vers_hub: 'in_transit',
  vers_wilaya: 'in_transit',

  accepted_by_carrier: 'at_center',
  en_hub: 'at_center',
  // Its place in the platform's sequence is at the destination, before the driver has it.
  en_preparation: 'at_center',

  en_livraison: 'out_for_delivery',
  dispatched_to_driver: 'out_for_delivery',

  attempt_delivery: 'delivery_failed',
  [noteStatus('tentative_added')]: 'delivery_failed',

  suspendu: 'on_hold',
  suspendus: 'on_hold',
  [noteStatus('tentative_delayed')]: 'on_hold',

  // The driver has the money, the company does not yet.
  livre_non_encaisse: 'delivered',
  livred: 'delivered',
  encaisse_non_paye: collected,
  livre_encaisse_non_paye: collected,
  encaissed: collected,
  paiements_prets: payoutReady,
  'Paiement prêt': payoutReady,
  paye_et_archive: paidOut,
  payed: paidOut,
  paiement_archived: paidOut,
  'Paiement archivé': paidOut,

  return_asked: 'returning',
  return_in_transit: 'returning',
  retour_chez_livreur: 'returning',
  retours_chez_livreur: 'returning',
  retour_transit_entrepot: 'returning',
  retour_en_traitement: 'returning',
  retours_en_traitement: 'returning',
  retours_prets: 'returning',
  retours_a_dispatcher_vers_stock: 'returning',
  retours_en_transit_stock: 'returning',

  Return_received: 'returned',
  retour_recu: 'returned',
  retours_recu: 'returned',
  retour_archive: 'returned',
  retour_archived: 'returned',
  retours_archived: 'returned',
  'Retours archivé': 'returned',
  retours_en_stock: 'returned',

  annule: 'cancelled',

  notification_on_order: null,
  [noteStatus('unknown')]: null,
}

const fold = (raw: string) => foldName(raw.replaceAll('_', ' '))

const drafts = new Set(['prete_a_expedier', 'Prêt à expédier', 'prete_a_preparer', 'Prêt à préparer'].map(fold))
/** Returns true for a status that a draft and an order awaiting pickup share. */
export const mayBeDraft = (raw: string) => drafts.has(fold(raw))

const moneyOf = new Map(Object.entries(statuses).map(([raw, rule]) => [fold(raw), cashIn(rule)]))
/** Returns the cash status of a parcel in this state; undefined when no money is collected. */
export const cashStatus = (raw: string) => moneyOf.get(fold(raw))

function cashIn(rule: StatusRule): CashStatus | undefined {
  if (rule === 'delivered') return 'collected'
  return rule !== null && typeof rule === 'object' ? rule.cash : undefined
}
