/** Words of the first store. */
export const start = {
  'start.title': 'Create your store',
  'start.text': 'You can change all of this later.',
  'start.name': 'Name of the store',
  'start.country': 'Country',
  'start.currency': 'Currency',
  'start.submit': 'Create store',
  'start.step': 'Step {step} of {steps}',
  'start.carrierTitle': 'Try a carrier',
  'start.carrierText': 'The sandbox carrier accepts parcels and moves them, but no goods travel. Connect real carriers later.',
  'start.carrierSubmit': 'Connect the sandbox carrier',
  'start.skip': 'Later',
  'start.orderTitle': 'Make a first order',
  'start.orderText': 'A product and an order to try the confirmation desk with.',
  'start.orderSubmit': 'Make a product and an order',
  'start.productName': 'Sample product',
  'start.customerName': 'Sample customer',
}
