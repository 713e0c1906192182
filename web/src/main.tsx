// Starts the page.
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import './ui/tokens.css';

createRoot(document.getElementById('root')!).render(<App />);
