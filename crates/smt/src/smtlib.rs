pub struct SmtlibSolver;
