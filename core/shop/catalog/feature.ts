import { feature } from '../../feature.ts'
import { categoryTree } from './categories.routes.ts'
import { categories } from './categories.ts'
import { products } from './products.routes.ts'
import { promoVerdict } from './promos.routes.ts'
import { promos } from './promos.ts'

export default feature('catalog', { routes: [products, promos, promoVerdict, categories, categoryTree] })
