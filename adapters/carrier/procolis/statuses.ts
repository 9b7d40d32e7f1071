import type { StatusRule } from 'serai/carrier'

/** "En livraison ( 1528 )" is "En livraison": a number in brackets at the end of a status is no part of it. */
export const withoutNumber = (situation: string) => situation.replace(/\s*\(\s*\d+\s*\)\s*$/, '')

export const statuses: Readonly<Record<string, StatusRule>> = {
  // It stands in the carrier's system, which is what we call submitted.
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

  // SD is a stop-desk.
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

  // The recipient declined: the parcel comes back, it is not gone.
  'Annuler par le Client': 'returning',
  'SD - Annuler par le Client': 'returning',
  'SD - Annuler 3x': 'returning',
  'Retour de Dispatche': 'returning',
  'Retour Livreur': 'returning',
  'Retour Navette': 'returning',
  // Whether this client is the recipient or the shop is not known; nothing is back on the shelf before it is certain.
  'Retour Client': 'returning',
  'Retour Stock': 'returned',
}
