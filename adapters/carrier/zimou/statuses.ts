import type { StatusRule } from 'serai/carrier'

/** Statuses. Each key begins with the carrier's id, which alone is matched; the name after it is for readers. */
export const statuses: Readonly<Record<string, StatusRule>> = {
  // In the carrier's system: `submitted` here.
  '1 EN PREPARATION': 'submitted',
  '2 PRÊT À EXPÉDIER': 'submitted',
  // Waiting for an unstated reason: never moves a parcel back.
  '12 EN ATTENTE': 'submitted',
  '26 WAREHOUSE EN PREPARATION': 'submitted',
  '28 WAREHOUSE PRET': 'submitted',
  '33 PAS ENCORE RAMASSÉ': 'submitted',
  '34 DROPSHIP EN PREPARATION': 'submitted',
  '35 DROPSHIP PRET': 'submitted',
  '43 FRET EN PREPARATION': 'submitted',
  '44 FRET PRET': 'submitted',

  '23 PICKUP': 'picked_up',

  '3 EXPEDIE': 'in_transit',
  '4 VERS WILAYA (SAC)': 'in_transit',
  '6 TRANSFERT (SAC)': 'in_transit',
  '21 SOCIETE PARTENAIRE': 'in_transit',
  '24 En Dispatche': 'in_transit',
  '25 Dispatché': 'in_transit',
  '112 En localisation': 'in_transit',
  '114 En Transit': 'in_transit',

  '5 CENTRE (HUB)': 'at_center',
  '40 AU CENTRE': 'at_center',
  '113 Prêt pour livreur': 'at_center',
  '115 En Hub': 'at_center',

  '7 SORTIE EN LIVRAISON': 'out_for_delivery',

  '9 ÉCHEC DE LIVRAISON': 'delivery_failed',
  '13 TENTATIVE ÉCHOUÉE 1': 'delivery_failed',
  '14 TENTATIVE ÉCHOUÉE 2': 'delivery_failed',
  '15 TENTATIVE ÉCHOUÉE 3': 'delivery_failed',
  '22 REFUSÉ': 'delivery_failed',

  '10 ALERT': 'on_hold',
  '11 REPORTER (Date)': 'on_hold',
  '27 WAREHOUSE HORS STOCK': 'on_hold',
  '83 Bloqué': 'on_hold',

  '8 LIVRÉ': 'delivered',
  '39 ECHANGE COLLECTÉ': 'delivered',
  // Exchanged goods that wait to be collected; this may not prove a delivery.
  '36 ECHANGE A RETIRER': null,

  '16 RETOUR VERS CENTRE': 'returning',
  '17 RETOURNEE AU CENTRE': 'returning',
  '18 RETOUR A RETIRER': 'returning',
  '19 RETOUR VERS VENDEUR (SAC)': 'returning',
  '116 Retour (Station)': 'returning',

  '20 RETOURNEE AU VENDEUR (SAC)': 'returned',
  '29 WAREHOUSE RETOURNÉE': 'returned',
  '37 DROPSHIPS RETOURNEÉ': 'returned',
  '32 WAREHOUSE RETOURNÉE ENDOMAGÉ': { status: 'returned', flag: 'damaged' },
  '38 DROPSHIPS RETOURNEÉ ENDOMMAGÉ': { status: 'returned', flag: 'damaged' },

  '30 WAREHOUSE DEMANDE ANNULATION': 'cancelled',
  '31 WAREHOUSE ANNULÉE': 'cancelled',
  '41 DROPSHIPS DEMANDE ANNULATION': 'cancelled',
  '42 DROPSHIPS ANNULÉE': 'cancelled',
  '45 FRET DEMANDE ANNULATION': 'cancelled',
  '46 FRET ANNULÉE': 'cancelled',

  '118 Perdu': 'lost',
}

const words = new Map(Object.keys(statuses).map((word) => [word.slice(0, word.indexOf(' ')), word]))

/** Returns the raw status: the known word for an id, whatever name came with it, else the id and the name. */
export const statusWord = (id: number | undefined, name = '') => words.get(String(id)) ?? `${id ?? ''} ${name}`.replace(/\s+/gu, ' ').trim()
