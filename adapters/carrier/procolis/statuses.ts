import type { StatusRule } from 'serai/carrier'

/** Removes a number in brackets at the end of a status: "En livraison ( 1528 )" becomes "En livraison". */
export const withoutNumber = (situation: string) => situation.replace(/\s*\(\s*\d+\s*\)\s*$/, '')

export const statuses: Readonly<Record<string, StatusRule>> = {
  // In the carrier's system: `submitted` here.
  'En Préparation': 'submitted',
  'En Préparation - Confirmé': 'submitted',
  'En Préparation - Message Envoyé': 'submitted',
  'En Préparation - Ne Réponde pas': 'submitted',
  'En Préparation - Reportée': 'submitted',
  'En Traitement - Prêt à Expédie': 'submitted',
  'En Préparation - Annuler': 'cancelled',

  Dispatcher: 'in_transit',
  'Au Bureau': 'at_center',
  'Sortir en livraison': 'out_for_delivery',
  'En livraison': 'out_for_delivery',

  'Appel sans Réponse 1': 'delivery_failed',
  'Appel sans Réponse 2': 'delivery_failed',
  'Appel sans Réponse 3': 'delivery_failed',
  Reporté: 'on_hold',
  'A Relancé': 'on_hold',
  'Attente Information': 'on_hold',

  // SD is a stop desk.
  'SD - En Attente du Client': { status: 'at_center', flag: 'ready_for_pickup' },
  'SD - Appel sans Réponse 1': 'delivery_failed',
  'SD - Appel sans Réponse 2': 'delivery_failed',
  'SD - Appel sans Réponse 3': 'delivery_failed',
  'SD - Reporté': 'on_hold',

  Livrée: 'delivered',
  'Colis Livrée': 'delivered',
  'Livrée [ Encaisser ]': { status: 'delivered', cash: 'collected' },
  'Livrée [ Recouvert ]': { status: 'delivered', cash: 'paid_out' },
  Echange: 'delivered',

  // The recipient declined: the parcel comes back.
  'Annuler par le Client': 'returning',
  'SD - Annuler par le Client': 'returning',
  'SD - Annuler 3x': 'returning',
  'Retour de Dispatche': 'returning',
  'Retour Livreur': 'returning',
  'Retour Navette': 'returning',
  // This client may be the recipient or the shop; goods count as returned only when it is certain.
  'Retour Client': 'returning',
  'Retour Stock': 'returned',
}
