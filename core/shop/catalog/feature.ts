import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { Id } from '../../http/schema.ts'
import { type DataOf, eventOfStore } from '../../platform/webhooks/events.ts'
import { runImport } from '../imports/run-import.ts'
import { categoryTree } from './categories/categories.routes.ts'
import { categories } from './categories/categories.ts'
import { Product } from './products.model.ts'
import { products } from './products.routes.ts'
import { promoValidation } from './promos/promos.routes.ts'
import { promos } from './promos/promos.ts'
import { productImporter } from './sheets/product-importer.ts'
import { productSheets } from './sheets/sheets.routes.ts'

const events = {
  'product.created': eventOfStore('The catalogue has another item, perhaps still a draft', { product: Product }),
  'product.updated': eventOfStore('Price, texts, pictures or another field of an item in the catalogue was edited', { product: Product }),
  'product.deleted': eventOfStore('An item left the catalogue: take it off your own pages', { id: Id }),
}

declare module '../../platform/webhooks/events.ts' {
  interface Events extends DataOf<typeof events> {}
}

/** Catalogue of a store: products, categories, promotion codes, and product sheets. */
export default feature('catalog', {
  routes: [products, productSheets, promos, promoValidation, categories, categoryTree],
  events,
  jobs: {
    'catalog.import': { work: (context, job, signal) => runImport(context, productImporter, job, signal) },
  },
  personalData: [eraseBySearch({ table: 'promo_redemptions', owner: 'order', key: ['order_id'], columns: { phone: 'whole' } })],
})
