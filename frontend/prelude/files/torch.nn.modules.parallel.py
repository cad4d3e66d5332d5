"""Makes `torch.nn` find the names of `torch.nn.parallel`."""
from torch.nn.parallel import data_parallel

DataParallel = data_parallel.DataParallel
