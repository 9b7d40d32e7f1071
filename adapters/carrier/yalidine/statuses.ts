import type { CashStatus, StatusRule } from 'serai/carrier'

/** Status name of an unknown payment state. */
export const paymentStatus = (raw: string) => `payment_status ${raw}`

export const statuses: Readonly<Record<string, StatusRule>> = {
  // In the carrier's system: `submitted` here.
  'En préparation': 'submitted',
  'Pas encore expédié': 'submitted',
  'A vérifier': 'submitted',
  'Prêt à expédier': 'submitted',
  'Pas encore ramassé': 'submitted',
  'En passation': 'submitted',
  parcel_created: 'submitted',

  Ramassé: 'picked_up',

  Expédié: 'in_transit',
  Transfert: 'in_transit',
  'Vers Wilaya': 'in_transit',
  'En transit': 'in_transit',
  'En localisation': 'in_transit',
  Débloqué: 'in_transit',
  'Alerte résolue': 'in_transit',

  Centre: 'at_center',
  'Reçu à Wilaya': 'at_center',
  'Prêt pour livreur': 'at_center',
  'En attente du client': { status: 'at_center', flag: 'ready_for_pickup' },

  'Sorti en livraison': 'out_for_delivery',
  'Tentative échouée': 'delivery_failed',

  'En attente': 'on_hold',
  Bloqué: 'on_hold',
  'En alerte': 'on_hold',

  Livré: { status: 'delivered', cash: 'collected' },

  // The API's own spelling. The attempts are over, but such parcels have still been delivered later.
  'Echèc livraison': 'returning',
  'Retour vers centre': 'returning',
  'Retourné au centre': 'returning',
  'Retour transfert': 'returning',
  'Retour groupé': 'returning',
  'Retour à retirer': 'returning',
  'Retour vers vendeur': 'returning',
  'Echange échoué': 'returning',
  // Not collected from the center: the goods are not back with the seller, so they do not count as returned.
  'Retour non retiré': { status: 'returning', flag: 'abandoned' },
  'Colis abandonné': { status: 'returning', flag: 'abandoned' },
  'Retourné au vendeur': 'returned',

  Annulé: 'cancelled',
  parcel_deleted: 'cancelled',

  // Spellings of older answers. An ambiguous one is read as the earlier state; a status rule of the connection can override it.
  Enlevé: 'picked_up',
  Transféré: 'in_transit',
  "Reçu à l'agence": 'at_center',
  'Stop desk': { status: 'at_center', flag: 'ready_for_pickup' },
  'Disponible en agence': { status: 'at_center', flag: 'ready_for_pickup' },
  'En cours de livraison': 'out_for_delivery',
  Absent: 'delivery_failed',
  Refusé: 'delivery_failed',
  Reporté: 'on_hold',
  'En retour': 'returning',
  Retourné: 'returning',
  Perdu: 'lost',
  Endommagé: { status: 'lost', flag: 'damaged' },
}

/** Cash statuses by `payment_status`. The meaning of `not-ready` depends on the delivery. */
export const payments: Readonly<Record<string, CashStatus>> = {
  ready: 'payout_ready',
  receivable: 'payout_ready',
  payed: 'paid_out',
}

export const unpaid = 'not-ready'
export const delivered = 'Livré'
