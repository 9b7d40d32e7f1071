import type { start as english } from '../en/start.ts'

/** Words of the first store. */
export const start: Record<keyof typeof english, string> = {
  'start.title': 'Créez votre boutique',
  'start.text': 'Vous pourrez tout changer plus tard.',
  'start.name': 'Nom de la boutique',
  'start.country': 'Pays',
  'start.submit': 'Créer la boutique',
  'start.step': 'Étape {step} sur {steps}',
  'start.carrierTitle': 'Essayez un transporteur',
  'start.carrierText':
    "Le transporteur d'essai accepte les colis et les fait avancer, mais rien ne voyage. Connectez les vrais transporteurs plus tard.",
  'start.carrierSubmit': "Connecter le transporteur d'essai",
  'start.skip': 'Plus tard',
  'start.orderTitle': 'Faites une première commande',
  'start.orderText': 'Un produit et une commande pour essayer la confirmation.',
  'start.phone': 'Votre numéro de téléphone',
  'start.phoneHint': "Le client d'essai le reçoit, pour que vous puissiez essayer l'appel.",
  'start.orderSubmit': 'Créer un produit et une commande',
  'start.productName': "Produit d'essai",
  'start.customerName': "Client d'essai",
}
